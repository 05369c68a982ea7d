import { randomUUID } from "node:crypto";
import { ScanError } from "@plimsoll/core";
import { cooperativeYield, type JobAttempt } from "@plimsoll/store";
import { type AccountRow, findAccountById, findImageRepository, type ImageRepository } from "../../access/queries.ts";
import type { Deps } from "../../deps.ts";
import { RegistryError } from "../../errors.ts";
import { waitMsOf } from "../../ports/upstreams.ts";
import { createRepository } from "../../repositories/new-repository.ts";
import type { RegistryDb } from "../../store/tables/all.ts";
import type { DiscoveredState } from "../../store/tables/upstreams.ts";
import { writeUsageLog } from "../../store/usage-log.ts";
import { isRepositoryPath } from "../../values/names.ts";
import { stepBudget, stepsOfJob } from "../../values/patterns.ts";
import { upstreamAddress } from "../mirrors/external-reference.ts";
import { mirrorRetries } from "../mirrors/mirrors.ts";
import { findMirror, grantPushing, insertMirror, type MirrorRow, updateMirror } from "../mirrors/queries.ts";
import {
  findDiscovered,
  findOrganizationMirror,
  type OrganizationMirrorRow,
  putDiscovered,
  readDiscovered,
  updateOrganizationMirror,
} from "./queries.ts";
import { repositoryFilter } from "./repository-filter.ts";

/** After a failure the catalog is read again after this time at the latest, unless the registry limits the rate of requests. */
const failedPauseMs = 3_600_000;

/** How many repositories one organization mirrors at most. */
const maxMirrored = 10_000;

/**
 * Reads the catalog that an organization mirrors, and derives the mirror of each repository in its own transaction, so that an interrupted
 * reading can be repeated. The result is stored and the job is finished in one transaction.
 * @throws Error for failures of this registry; failures of the other registry are stored
 */
export async function discoverRepositories(
  attempt: JobAttempt<{ readonly organizationId: string }>,
  context: Pick<Deps, "store" | "clock" | "secrets" | "outgoing" | "upstreams">,
): Promise<void> {
  const { store, clock } = context;
  const { organizationId } = attempt.payload;
  const mirror = await findOrganizationMirror(store.db, organizationId);
  const organization = mirror && (await findAccountById(store.db, organizationId));
  if (mirror?.is_enabled !== 1 || organization?.enabled !== 1) return;
  const end = await discover(context, { mirror, organization, signal: attempt.signal }).catch(
    (error: unknown): DiscoveryEnd => {
      attempt.signal.throwIfAborted();
      if (!(error instanceof ScanError || error instanceof RegistryError)) throw error;
      return { state: "FAIL", message: error.message, waitMs: waitMsOf(error) };
    },
  );
  await store.transaction(async (db) => {
    await attempt.finishIn(db);
    const now = clock.now();
    const current = await findOrganizationMirror(db, organizationId);
    const isChanged = current?.discover_at !== mirror.discover_at; // a request in the meantime set a due time, which is kept
    const intervalMs = mirror.sync_interval_s * 1000;
    const { waitMs = 0, ...result } = end;
    const pauseMs = result.state === "FAIL" ? Math.max(Math.min(intervalMs, failedPauseMs), waitMs) : intervalMs;
    const next = isChanged ? {} : { discover_at: now + pauseMs };
    await updateOrganizationMirror(db, organizationId, { ...result, discovered_at: now, ...next });
  });
}

interface DiscoveryRun {
  readonly mirror: OrganizationMirrorRow;
  readonly organization: AccountRow;
  readonly signal: AbortSignal;
}

interface DiscoveryEnd {
  readonly state: "SUCCESS" | "FAIL";
  readonly message: string;
  /** For how long the registry is not to be asked. */
  readonly waitMs?: number;
}

async function discover(
  context: Pick<Deps, "store" | "clock" | "secrets" | "outgoing" | "upstreams">,
  run: DiscoveryRun,
): Promise<DiscoveryEnd> {
  const { store, secrets, outgoing, upstreams } = context;
  const { mirror, organization, signal } = run;
  const { path: prefix, ...address } = upstreamAddress(secrets, {
    ...mirror,
    external_reference: mirror.external_registry,
  });
  await outgoing.check(address.hostname);
  await using catalog = await upstreams.openCatalog(address);
  const offered = await catalog.listRepositories(signal);
  const below = prefix === "" ? "" : `${prefix}/`;
  const names = await selectRepositories(mirror, offered, below);
  const known = await readDiscovered(store.db, organization.id);
  for (const name of names.slice(0, maxMirrored)) {
    signal.throwIfAborted();
    const derived = { mirror, organization, name, localName: name.slice(below.length) };
    await store.transaction((db) => deriveMirror({ db, now: context.clock.now() }, derived));
  }
  const present = new Set(names);
  for (const [name, { state }] of known) {
    if (present.has(name) || state === "gone") continue;
    signal.throwIfAborted();
    await store.transaction((db) => disableMirror({ db, now: context.clock.now() }, organization.id, name));
  }
  if (names.length <= maxMirrored) return { state: "SUCCESS", message: "" };
  const message = `${names.length} repositories match: only ${maxMirrored} of them are mirrored`;
  return { state: "FAIL", message };
}

/** The repositories that the rule selects. @throws RegistryError if the rule takes too long */
async function selectRepositories(
  { repository_patterns }: OrganizationMirrorRow,
  offered: readonly string[],
  below: string,
): Promise<readonly string[]> {
  const rule = JSON.parse(repository_patterns) as readonly string[];
  const isMirrored = repositoryFilter(rule, stepBudget(stepsOfJob, "the names of the repositories with the rule"));
  const yieldToOthers = cooperativeYield();
  const selected: string[] = [];
  for (const name of offered) {
    if (name.startsWith(below) && isMirrored(name.slice(below.length))) selected.push(name);
    await yieldToOthers();
  }
  return selected;
}

/** The database, and the current time in epoch milliseconds. */
interface At {
  readonly db: RegistryDb;
  readonly now: number;
}

/** A repository of the catalog, and the organization that mirrors it. */
interface Derived {
  readonly mirror: OrganizationMirrorRow;
  readonly organization: AccountRow;
  /** In the catalog. */
  readonly name: string;
  /** In the organization. */
  readonly localName: string;
}

/** Creates the mirror of one repository, or applies a changed configuration to it. Stores the result. */
async function deriveMirror(at: At, derived: Derived): Promise<void> {
  const { db } = at;
  const { mirror, organization, name, localName } = derived;
  const known = await findDiscovered(db, mirror.organization_id, name);
  const repository = await findImageRepository(db, organization.username, localName);
  const refuse = (reason: string, repositoryId?: string) =>
    keep(at, derived, { state: "refused", reason, repositoryId });
  if (!isRepositoryPath(`${organization.username}/${localName}`))
    return refuse("no repository can have this name here");
  if (repository === undefined) {
    const made = await create(at, derived);
    return keep(at, derived, { state: "mirrored", reason: "", repositoryId: made.id });
  }
  if (known?.repository_id !== repository.id)
    return refuse("the organization has another repository of this name, which is not of this mirror");
  if (repository.state !== "MIRROR") return refuse("its state was changed: it is no mirror any more", repository.id);
  await adapt(at, derived, repository);
  await keep(at, derived, { state: "mirrored", reason: "", repositoryId: repository.id });
}

async function create({ db, now }: At, { mirror, organization, name, localName }: Derived): Promise<ImageRepository> {
  const robot = await findAccountById(db, mirror.robot_id);
  if (robot === undefined) throw new TypeError("the robot of a mirror is there as long as the mirror");
  const { visibility } = mirror;
  const request = { namespace: organization, name: localName, visibility, creator: robot, now };
  const repository = await createRepository(db, { ...request, creatorRole: "write" });
  await insertMirror(db, {
    repository_id: repository.id,
    ...settingsOf(mirror, name),
    sync_start_at: now,
    sync_expires_at: null,
    sync_state: "NEVER_RUN",
    sync_retries: mirrorRetries,
    sync_waits_until: null,
    sync_transaction_id: randomUUID(),
  });
  const principal = { kind: "robot", account: robot, ownerId: organization.id } as const;
  const metadata = { repo: localName, namespace: organization.username };
  const place = { namespaceId: organization.id, repositoryId: repository.id };
  await writeUsageLog(db, { kind: "create_repo", metadata, ...place, principal, at: now });
  return repository;
}

/** Applies the configuration of the organization to the mirror of a repository. */
async function adapt({ db }: At, { mirror, name }: Derived, { id }: ImageRepository): Promise<void> {
  const wanted = settingsOf(mirror, name);
  const current = await findMirror(db, id);
  if (current === undefined) return;
  const differs = Object.entries(wanted).some(([column, value]) => current[column as keyof MirrorRow] !== value);
  if (!differs) return;
  await grantPushing(db, { repositoryId: id, accountId: mirror.robot_id });
  await updateMirror(db, id, wanted);
}

function settingsOf(mirror: OrganizationMirrorRow, name: string) {
  return {
    is_enabled: 1 as const,
    external_reference: `${mirror.external_registry.split("/")[0]}/${name}`,
    external_username: mirror.external_username,
    external_password_sealed: mirror.external_password_sealed,
    external_config: mirror.external_config,
    sync_interval_s: mirror.sync_interval_s,
    sync_timeout_s: mirror.sync_timeout_s,
    tag_patterns: mirror.tag_patterns,
    robot_id: mirror.robot_id,
  };
}

/** Disables the mirror of a repository that is no longer in the catalog. The repository stays. */
async function disableMirror({ db, now }: At, organizationId: string, name: string): Promise<void> {
  const known = await findDiscovered(db, organizationId, name);
  if (known === undefined) return;
  if (known.repository_id !== null && (await findMirror(db, known.repository_id)) !== undefined)
    await updateMirror(db, known.repository_id, { is_enabled: 0 });
  await putDiscovered(db, { ...known, state: "gone", reason: "", changed_at: now });
}

interface Outcome {
  readonly state: DiscoveredState;
  readonly reason: string;
  readonly repositoryId: string | undefined;
}

async function keep({ db, now }: At, { mirror, name }: Derived, outcome: Outcome): Promise<void> {
  const { state, reason, repositoryId } = outcome;
  const repository_id = repositoryId ?? null;
  const known = await findDiscovered(db, mirror.organization_id, name);
  if (known?.state === state && known.reason === reason && known.repository_id === repository_id) return;
  const key = { organization_id: mirror.organization_id, external_name: name };
  await putDiscovered(db, { ...key, state, reason, repository_id, changed_at: now });
}
