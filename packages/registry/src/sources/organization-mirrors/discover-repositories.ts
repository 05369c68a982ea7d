import { ScanError } from "@plimsoll/core";
import { cooperativeYield, type JobAttempt } from "@plimsoll/store";
import { type AccountRow, findAccountById } from "../../access/queries.ts";
import { RegistryError } from "../../errors.ts";
import { stepBudget, stepsOfJob } from "../../values/step-budget.ts";
import type { SyncContext } from "../mirrors/sync-context.ts";
import { upstreamAddress } from "../mirrors/upstream-address.ts";
import { waitMsOf } from "../mirrors/wait-ms-of.ts";
import { deriveMirror, disableMirror } from "./derive-mirror.ts";
import {
  findOrganizationMirror,
  type OrganizationMirrorRow,
  readDiscovered,
  updateOrganizationMirror,
} from "./queries.ts";
import { repositoryFilter } from "./repository-filter.ts";

/** What {@link discoverRepositories} needs. */
export type DiscoveryContext = Pick<SyncContext, "store" | "clock" | "secrets" | "outgoing" | "upstreams">;

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
  context: DiscoveryContext,
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

async function discover(context: DiscoveryContext, run: DiscoveryRun): Promise<DiscoveryEnd> {
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
