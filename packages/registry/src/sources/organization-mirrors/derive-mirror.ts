import { randomUUID } from "node:crypto";
import { type AccountRow, findAccountById, findImageRepository, type ImageRepository } from "../../access/queries.ts";
import { createRepository } from "../../repositories/new-repository.ts";
import type { RegistryDb } from "../../store/tables/all.ts";
import type { DiscoveredState } from "../../store/tables/upstreams.ts";
import { writeUsageLog } from "../../store/usage-log.ts";
import { isRepositoryPath } from "../../values/names.ts";
import { mirrorRetries } from "../mirrors/mirrors.ts";
import { findMirror, grantPushing, insertMirror, type MirrorRow, updateMirror } from "../mirrors/queries.ts";
import { findDiscovered, type OrganizationMirrorRow, putDiscovered } from "./queries.ts";

/** The database, and the current time in epoch milliseconds. */
export interface At {
  readonly db: RegistryDb;
  readonly now: number;
}

/** A repository of the catalog, and the organization that mirrors it. */
export interface Derived {
  readonly mirror: OrganizationMirrorRow;
  readonly organization: AccountRow;
  /** In the catalog. */
  readonly name: string;
  /** In the organization. */
  readonly localName: string;
}

/** Creates the mirror of one repository, or applies a changed configuration to it. Stores the result. */
export async function deriveMirror(at: At, derived: Derived): Promise<void> {
  const { db } = at;
  const { mirror, organization, name, localName } = derived;
  const known = await findDiscovered(db, mirror.organization_id, name);
  const repository = await findImageRepository(db, organization.username, localName);
  const refuse = (reason: string, repositoryId: string | null = null) =>
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
export async function disableMirror({ db, now }: At, organizationId: string, name: string): Promise<void> {
  const known = await findDiscovered(db, organizationId, name);
  if (known === undefined) return;
  if (known.repository_id !== null && (await findMirror(db, known.repository_id)) !== undefined)
    await updateMirror(db, known.repository_id, { is_enabled: 0 });
  await putDiscovered(db, { ...known, state: "gone", reason: "", changed_at: now });
}

interface Outcome {
  readonly state: DiscoveredState;
  readonly reason: string;
  readonly repositoryId: string | null;
}

async function keep({ db, now }: At, { mirror, name }: Derived, outcome: Outcome): Promise<void> {
  const { state, reason, repositoryId: repository_id } = outcome;
  const known = await findDiscovered(db, mirror.organization_id, name);
  if (known?.state === state && known.reason === reason && known.repository_id === repository_id) return;
  const key = { organization_id: mirror.organization_id, external_name: name };
  await putDiscovered(db, { ...key, state, reason, repository_id, changed_at: now });
}
