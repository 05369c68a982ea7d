import { type Selectable, sql } from "kysely";
import type { AccountRow } from "../../access/queries.ts";
import type { ReadFrom } from "../../lists/list-pages.ts";
import type { NewRow, RegistryDb, RowChanges } from "../../store/tables/all.ts";
import type {
  OrganizationMirrorRepositoryTable,
  OrganizationMirrorTable,
  RepositoryMirrorTable,
} from "../../store/tables/upstreams.ts";

/** How an organization mirrors another registry, as it is stored. */
export type OrganizationMirrorRow = Selectable<OrganizationMirrorTable>;

/** A repository of the catalog, and the state of its mirror. */
export type DiscoveredRow = Selectable<OrganizationMirrorRepositoryTable>;

/** The configuration of an organization. */
export async function findOrganizationMirror(
  db: RegistryDb,
  organizationId: string,
): Promise<OrganizationMirrorRow | undefined> {
  return db
    .selectFrom("organization_mirror")
    .selectAll()
    .where("organization_id", "=", organizationId)
    .executeTakeFirst();
}

/** Stores a configuration. @returns false if the organization has one already */
export async function insertOrganizationMirror(
  db: RegistryDb,
  mirror: NewRow<"organization_mirror">,
): Promise<boolean> {
  const inserted = await db
    .insertInto("organization_mirror")
    .values(mirror)
    .onConflict((conflict) => conflict.doNothing())
    .returning("organization_id")
    .executeTakeFirst();
  return inserted !== undefined;
}

/** Changes a configuration. */
export async function updateOrganizationMirror(
  db: RegistryDb,
  organizationId: string,
  changes: RowChanges<"organization_mirror">,
): Promise<void> {
  await db.updateTable("organization_mirror").set(changes).where("organization_id", "=", organizationId).execute();
}

/** Skips a due reading of the catalog: the next one is an interval from now. */
export async function skipDiscovery(db: RegistryDb, organizationId: string, now: number): Promise<void> {
  await db
    .updateTable("organization_mirror")
    .set(({ eb, ref }) => ({ discover_at: eb(eb(ref("sync_interval_s"), "*", 1000), "+", now) }))
    .where("organization_id", "=", organizationId)
    .where("discover_at", "<=", now)
    .execute();
}

/** Deletes a configuration, and the states of its repositories. @returns whether there was one */
export async function deleteOrganizationMirrorRow(db: RegistryDb, organizationId: string): Promise<boolean> {
  const deleted = await db
    .deleteFrom("organization_mirror")
    .where("organization_id", "=", organizationId)
    .returning("organization_id")
    .executeTakeFirst();
  return deleted !== undefined;
}

/** The organizations whose catalogs are due to be read. */
export async function listDueOrganizations(db: RegistryDb, now: number) {
  return db
    .selectFrom("organization_mirror")
    .innerJoin("account", "account.id", "organization_mirror.organization_id")
    .select("organization_mirror.organization_id as organizationId")
    .where("discover_at", "<=", now)
    .where("is_enabled", "=", 1)
    .where("account.enabled", "=", 1)
    .execute();
}

/** Some repositories of the catalog with the states of their mirrors, by name. */
export async function listDiscovered(
  db: RegistryDb,
  { id }: Pick<AccountRow, "id">,
  { after: [name], limit }: ReadFrom<readonly [name: string]>,
) {
  return db
    .selectFrom("organization_mirror_repository")
    .leftJoin("image_repository", "image_repository.id", "organization_mirror_repository.repository_id")
    .select(["external_name", "reason", "changed_at", "organization_mirror_repository.state"])
    .select("image_repository.name as repository")
    .where("organization_id", "=", id)
    .where("external_name", ">", name)
    .orderBy("external_name")
    .limit(limit)
    .execute();
}

/** One repository of the catalog with the state of its mirror. */
export async function findDiscovered(
  db: RegistryDb,
  organizationId: string,
  name: string,
): Promise<DiscoveredRow | undefined> {
  return db
    .selectFrom("organization_mirror_repository")
    .selectAll()
    .where("organization_id", "=", organizationId)
    .where("external_name", "=", name)
    .executeTakeFirst();
}

/** Enables or disables the mirrors of the repositories that are in the catalog. */
export async function enableDerived(
  db: RegistryDb,
  organizationId: string,
  { isEnabled }: { readonly isEnabled: boolean },
): Promise<void> {
  await db
    .updateTable("repository_mirror")
    .set({ is_enabled: isEnabled ? 1 : 0 })
    .where("repository_id", "in", (eb) =>
      eb
        .selectFrom("organization_mirror_repository")
        .select("repository_id")
        .where("organization_id", "=", organizationId)
        .where("state", "=", "mirrored")
        .where("repository_id", "is not", null),
    )
    .execute();
}

/** All repositories that were ever in the catalog with the states of their mirrors, by name. */
export async function readDiscovered(
  db: RegistryDb,
  organizationId: string,
): Promise<ReadonlyMap<string, DiscoveredRow>> {
  const rows = await db
    .selectFrom("organization_mirror_repository")
    .selectAll()
    .where("organization_id", "=", organizationId)
    .execute();
  return new Map(rows.map((row) => [row.external_name, row]));
}

/** Stores the state of the mirror of a repository. */
export async function putDiscovered(db: RegistryDb, row: NewRow<"organization_mirror_repository">): Promise<void> {
  const { organization_id: _, external_name: __, ...changes } = row;
  await db
    .insertInto("organization_mirror_repository")
    .values(row)
    .onConflict((conflict) => conflict.columns(["organization_id", "external_name"]).doUpdateSet(changes))
    .execute();
}

/** The state of the mirror of a discovered repository. `SKIP`: it is not mirrored. */
export type DiscoveredSyncState = RepositoryMirrorTable["sync_state"] | "SKIP";

const syncState = sql<DiscoveredSyncState>`case when organization_mirror_repository.state <> 'mirrored' then 'SKIP'
  else coalesce(repository_mirror.sync_state, 'NEVER_RUN') end`;

/** How many discovered repositories are in each state. */
export async function countDiscovered(db: RegistryDb, organizationId: string) {
  const rows = await discoveredOf(db, organizationId)
    .select([syncState.as("state"), sql<number | string>`count(*)`.as("count")])
    .groupBy(syncState)
    .execute();
  return new Map(rows.map(({ state, count }) => [state, Number(count)]));
}

/** Some discovered repositories by name, with the states of their mirrors. @param state only those in this state */
export async function listDiscoveredStates(
  db: RegistryDb,
  organizationId: string,
  { state, offset, limit }: { readonly state: string | undefined; readonly offset: number; readonly limit: number },
) {
  return discoveredOf(db, organizationId)
    .leftJoin("image_repository", "image_repository.id", "organization_mirror_repository.repository_id")
    .select(["external_name", "reason", "changed_at", "organization_mirror_repository.state"])
    .select(["image_repository.name as repository", syncState.as("sync_status")])
    .$if(state !== undefined, (query) => query.where(syncState, "=", state as DiscoveredSyncState))
    .orderBy("external_name")
    .offset(offset)
    .limit(limit)
    .execute();
}

/** The repositories of an organization whose derived mirrors run, or were asked to. */
export async function listRunningMirrors(db: RegistryDb, organizationId: string): Promise<readonly string[]> {
  const rows = await discoveredOf(db, organizationId)
    .select("repository_mirror.repository_id as id")
    .where("repository_mirror.sync_state", "in", ["SYNCING", "SYNC_NOW"])
    .execute();
  return rows.flatMap(({ id }) => id ?? []);
}

function discoveredOf(db: RegistryDb, organizationId: string) {
  return db
    .selectFrom("organization_mirror_repository")
    .leftJoin("repository_mirror", "repository_mirror.repository_id", "organization_mirror_repository.repository_id")
    .where("organization_mirror_repository.organization_id", "=", organizationId);
}
