import { randomUUID } from "node:crypto";
import { type Selectable, sql } from "kysely";
import { enabledRepository, type ImageRepository } from "../../access/queries.ts";
import type { NewRow, RegistryDb, RowChanges } from "../../store/tables/all.ts";
import type { RepositoryMirrorTable } from "../../store/tables/upstreams.ts";

/** Changes the mirror of a repository. By the new transaction id, {@link moveTurn} detects the change. */
export async function updateMirror(
  db: RegistryDb,
  repositoryId: string,
  changes: RowChanges<"repository_mirror">,
): Promise<void> {
  await db
    .updateTable("repository_mirror")
    .set({ ...changes, sync_transaction_id: randomUUID() })
    .where("repository_id", "=", repositoryId)
    .execute();
}

/** A mirror as it is stored. */
export type MirrorRow = Selectable<RepositoryMirrorTable>;

/** The mirror of a repository. */
export async function findMirror(db: RegistryDb, repositoryId: string): Promise<MirrorRow | undefined> {
  return db.selectFrom("repository_mirror").selectAll().where("repository_id", "=", repositoryId).executeTakeFirst();
}

/** Stores a mirror, and sets the state of its repository to `MIRROR`. @returns false if the repository has a mirror already */
export async function insertMirror(db: RegistryDb, mirror: NewRow<"repository_mirror">): Promise<boolean> {
  const inserted = await db
    .insertInto("repository_mirror")
    .values(mirror)
    .onConflict((conflict) => conflict.doNothing())
    .returning("repository_id")
    .executeTakeFirst();
  if (inserted === undefined) return false;
  await db.updateTable("image_repository").set({ state: "MIRROR" }).where("id", "=", mirror.repository_id).execute();
  return true;
}

/** Gives an account the role `write` on a repository, unless it has more. */
export async function grantPushing(
  db: RegistryDb,
  grant: { readonly repositoryId: string; readonly accountId: string },
): Promise<void> {
  await db
    .insertInto("account_permission")
    .values({ repository_id: grant.repositoryId, account_id: grant.accountId, role: "write" })
    .onConflict((conflict) =>
      conflict
        .columns(["repository_id", "account_id"])
        .doUpdateSet({ role: "write" })
        .where("account_permission.role", "=", "read"),
    )
    .execute();
}

/** A mirror and the repository into which it copies. */
export interface MirroredRepository {
  readonly mirror: MirrorRow;
  readonly repository: ImageRepository;
}

/** The mirror of a repository, if the repository is in the state `MIRROR` and its namespace is enabled. */
export async function findMirrored(db: RegistryDb, repositoryId: string): Promise<MirroredRepository | undefined> {
  const repository = await enabledRepository(db, repositoryId)
    .where("image_repository.state", "=", "MIRROR")
    .executeTakeFirst();
  const mirror = repository && (await findMirror(db, repositoryId));
  return repository && mirror && { repository, mirror };
}

/** The repositories whose mirrors are due, or in the states `SYNC_NOW` or `SYNCING`. */
export async function listDueMirrors(db: RegistryDb, now: number) {
  return db
    .selectFrom("repository_mirror")
    .innerJoin("image_repository", "image_repository.id", "repository_mirror.repository_id")
    .select(["image_repository.id as repositoryId", "image_repository.namespace_id as namespaceId"])
    .where("image_repository.state", "=", "MIRROR")
    .where(({ or, and, eb }) =>
      or([
        eb("sync_state", "in", ["SYNC_NOW", "SYNCING"]),
        and([
          eb("is_enabled", "=", 1),
          eb("sync_start_at", "<=", now),
          eb("sync_retries", ">", 0),
          or([eb("sync_waits_until", "is", null), eb("sync_waits_until", "<=", now)]),
        ]),
      ]),
    )
    .execute();
}

/** Mirrors that were due but have no retries left: they wait until they are due again. */
export async function listSkippedTurns(db: RegistryDb, now: number): Promise<readonly MirrorRow[]> {
  return db
    .selectFrom("repository_mirror")
    .selectAll()
    .where("sync_retries", "=", 0)
    .where("sync_start_at", "<=", now)
    .where("sync_state", "not in", ["SYNC_NOW", "SYNCING"])
    .execute();
}

/** Changes when a mirror is due, unless it has changed since it was read. */
export async function moveTurn(
  db: RegistryDb,
  { repository_id, sync_transaction_id }: MirrorRow,
  turn: Pick<RowChanges<"repository_mirror">, "sync_start_at" | "sync_retries">,
): Promise<void> {
  await db
    .updateTable("repository_mirror")
    .set(turn)
    .where("repository_id", "=", repository_id)
    .where("sync_transaction_id", "=", sync_transaction_id)
    .execute();
}

/** The digests to which the living tags of a repository point, by tag name. */
export async function listTagDigests(
  db: RegistryDb,
  repositoryId: string,
  now: number,
): Promise<ReadonlyMap<string, string>> {
  const rows = await db
    .selectFrom("tag")
    .innerJoin("image_manifest", "image_manifest.id", "tag.manifest_id")
    .select(["tag.name", "image_manifest.digest"])
    .where("tag.repository_id", "=", repositoryId)
    .where(({ or, eb }) => or([eb("tag.end_at", "is", null), eb("tag.end_at", ">", now)]))
    .execute();
  return new Map(rows.map(({ name, digest }) => [name, digest]));
}

/** The digests of a manifest and, if it is an index, of the manifests below it, at every level. */
export async function listDigestsBelow(
  db: RegistryDb,
  repositoryId: string,
  digest: string,
): Promise<readonly string[]> {
  const { rows } = await sql<{ readonly digest: string }>`
    with recursive below(id) as (
      select id from image_manifest where repository_id = ${repositoryId} and digest = ${digest}
      union select manifest_child.child_id from manifest_child join below on below.id = manifest_child.manifest_id)
    select digest from image_manifest where id in (select id from below)`.execute(db);
  return rows.map((row) => row.digest);
}

/** The ids of repositories of the namespace whose blobs the robot may link: public ones, and other mirrors of the robot; at most 100. */
export async function listMountable(
  db: RegistryDb,
  { repository, mirror }: MirroredRepository,
): Promise<readonly string[]> {
  const rows = await db
    .selectFrom("image_repository")
    .leftJoin("repository_mirror", "repository_mirror.repository_id", "image_repository.id")
    .select("image_repository.id")
    .where("image_repository.namespace_id", "=", repository.namespace_id)
    .where("image_repository.state", "!=", "deleted")
    .where("image_repository.id", "!=", repository.id)
    .where(({ or, eb }) => or([eb("visibility", "=", "public"), eb("robot_id", "=", mirror.robot_id)]))
    .limit(100)
    .execute();
  return rows.map(({ id }) => id);
}

/** The ids of the other repositories in the namespace of a repository, the newest first; at most 100. */
export async function listNeighbours(
  db: RegistryDb,
  { id, namespace_id }: Pick<ImageRepository, "id" | "namespace_id">,
): Promise<readonly string[]> {
  const rows = await db
    .selectFrom("image_repository")
    .select("id")
    .where("namespace_id", "=", namespace_id)
    .where("state", "!=", "deleted")
    .where("id", "!=", id)
    .orderBy("created_at", "desc")
    .limit(100)
    .execute();
  return rows.map((row) => row.id);
}

/** Which mirrors a summary is about. */
export interface MirrorScope {
  /** Absent: those of all namespaces. */
  readonly namespaceId?: string | undefined;
}

/** How many enabled mirrors are in each state. */
export async function countMirrors(db: RegistryDb, scope: MirrorScope) {
  const rows = await enabledMirrors(db, scope)
    .select(["repository_mirror.sync_state", sql<number | string>`count(*)`.as("count")])
    .groupBy("repository_mirror.sync_state")
    .execute();
  return new Map(rows.map(({ sync_state, count }) => [sync_state, Number(count)]));
}

/** Some enabled mirrors by namespace and name. @param only a state, and how many retries are left */
export async function listMirrorStates(
  db: RegistryDb,
  scope: MirrorScope & { readonly only?: Partial<Pick<MirrorRow, "sync_state" | "sync_retries">> },
  { offset = 0, limit }: { readonly offset?: number; readonly limit: number },
) {
  const { sync_state: state, sync_retries: retries } = scope.only ?? {};
  return enabledMirrors(db, scope)
    .select(["account.username as namespace", "image_repository.name as repository"])
    .select(["repository_mirror.sync_state", "repository_mirror.sync_retries"])
    .$if(state !== undefined, (query) => query.where("repository_mirror.sync_state", "=", state ?? "FAIL"))
    .$if(retries !== undefined, (query) => query.where("repository_mirror.sync_retries", "=", retries ?? 0))
    .orderBy("account.username")
    .orderBy("image_repository.name")
    .offset(offset)
    .limit(limit)
    .execute();
}

function enabledMirrors(db: RegistryDb, { namespaceId }: MirrorScope) {
  return db
    .selectFrom("repository_mirror")
    .innerJoin("image_repository", "image_repository.id", "repository_mirror.repository_id")
    .innerJoin("account", "account.id", "image_repository.namespace_id")
    .where("image_repository.state", "=", "MIRROR")
    .where("repository_mirror.is_enabled", "=", 1)
    .$if(namespaceId !== undefined, (query) => query.where("image_repository.namespace_id", "=", namespaceId ?? ""));
}
