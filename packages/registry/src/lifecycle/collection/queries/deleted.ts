import { sql } from "kysely";
import { unfinished } from "../../../builds/queries.ts";
import { deleteAssignmentNotifications, deleteInviteNotifications } from "../../../events/queries/notifications.ts";
import type { NewRow, RegistryDb } from "../../../store/tables/all.ts";

/** How many manifests are removed in one transaction. */
export const pageLength = 200;

/** Whether a repository is marked as deleted. */
export async function isDeleted(db: RegistryDb, repositoryId: string): Promise<boolean> {
  const row = await db.selectFrom("image_repository").select("state").where("id", "=", repositoryId).executeTakeFirst();
  return row?.state === "deleted";
}

/** Removes a page of a repository's tags. @returns whether there were any */
export async function removeTags(db: RegistryDb, repositoryId: string): Promise<boolean> {
  const tags = db.selectFrom("tag").select("id").where("repository_id", "=", repositoryId).limit(pageLength);
  const removed = await db.deleteFrom("tag").where("id", "in", tags).executeTakeFirst();
  return removed.numDeletedRows > 0n;
}

/** How many rows of a namespace are removed at once. */
const stepLength = 50;

/** The keys of the next rows of an owner to remove, at most {@link stepLength}. */
export async function findSome(
  db: RegistryDb,
  table: "image_repository" | "robot" | "team",
  {
    columns: [key, owner],
    ownerId,
  }: { readonly columns: readonly [key: string, owner: string]; readonly ownerId: string },
): Promise<readonly string[]> {
  const { rows } = await sql<{ readonly key: string }>`
    select ${sql.ref(key)} as key from ${sql.table(table)} where ${sql.ref(owner)} = ${ownerId}
    limit ${stepLength}`.execute(db);
  return rows.map((row) => row.key);
}

/** The uploads into a repository that is deleted. */
export function listUploadsOfDeleted(db: RegistryDb, repositoryId: string) {
  return db
    .selectFrom("upload")
    .innerJoin("image_repository", "image_repository.id", "upload.repository_id")
    .select("upload.id")
    .where("upload.repository_id", "=", repositoryId)
    .where("image_repository.state", "=", "deleted")
    .execute();
}

/** The next manifests of a repository to remove, at most {@link pageLength}. */
export function listSomeManifests(db: RegistryDb, repositoryId: string) {
  return db
    .selectFrom("image_manifest")
    .select("id")
    .where("repository_id", "=", repositoryId)
    .limit(pageLength)
    .execute();
}

/** Deletes the row of a repository. */
export async function removeRepository(db: RegistryDb, id: string): Promise<void> {
  await db.deleteFrom("image_repository").where("id", "=", id).execute();
}

/** Unlinks a page of blobs from a repository without manifests. @returns their digests */
export async function unlinkSomeBlobs(db: RegistryDb, repositoryId: string): Promise<readonly string[]> {
  const links = db.selectFrom("repository_blob").select("digest").where("repository_id", "=", repositoryId);
  const unlinked = await db
    .deleteFrom("repository_blob")
    .where("repository_id", "=", repositoryId)
    .where("digest", "in", links.orderBy("digest").limit(pageLength))
    .returning("digest")
    .execute();
  return unlinked.map(({ digest }) => digest);
}

/** A namespace that was deleted. */
export function findRetired(db: RegistryDb, accountId: string) {
  return db
    .selectFrom("retired_namespace")
    .select(["account_id", "retired_at"])
    .where("account_id", "=", accountId)
    .executeTakeFirst();
}

/** Deletes accounts. */
export async function removeAccounts(db: RegistryDb, ids: readonly string[]): Promise<void> {
  await db.deleteFrom("account").where("id", "in", ids).execute();
}

/** Deletes teams. */
export async function deleteTeams(db: RegistryDb, ids: readonly string[]): Promise<void> {
  await db.deleteFrom("team").where("id", "in", ids).execute();
}

/**
 * How many repositories, robots or teams are removed at once with their namespace. A namespace that has more is removed by the job,
 * in steps.
 */
const atOnce = 200;

const keyOf = { image_repository: "id", robot: "account_id", team: "id" } as const;

/** The keys of a namespace's rows in a table; undefined if there are more than {@link atOnce}. */
export async function findFew<Table extends keyof typeof keyOf>(
  db: RegistryDb,
  table: Table,
  { column, id }: { readonly column: string; readonly id: string },
): Promise<readonly string[] | undefined> {
  const { rows } = await sql<{ readonly key: string }>`
    select ${sql.ref(keyOf[table])} as key from ${sql.table(table)} where ${sql.ref(column)} = ${id}
    limit ${atOnce + 1}`.execute(db);
  return rows.length > atOnce ? undefined : rows.map(({ key }) => key);
}

/** Removes the account of a namespace without repositories, not even deleted ones. @returns false if it has some */
export async function removeIfEmpty(db: RegistryDb, id: string): Promise<boolean> {
  const removed = await db
    .deleteFrom("account")
    .where("id", "=", id)
    .where(({ not, exists, selectFrom }) =>
      not(exists(selectFrom("image_repository").select("id").where("namespace_id", "=", id))),
    )
    .returning("id")
    .executeTakeFirst();
  return removed !== undefined;
}

/** Removes the rows of a namespace besides its repositories: its own resources, and its memberships and grants elsewhere. */
export async function removeBelongings(db: RegistryDb, id: string): Promise<void> {
  await db
    .deleteFrom("account")
    .where("id", "in", (of) => of.selectFrom("robot").select("account_id").where("owner_id", "=", id))
    .execute();
  const teams = await db.selectFrom("team").select("id").where("organization_id", "=", id).execute();
  await deleteInviteNotifications(
    db,
    teams.map((team) => team.id),
  );
  await db.deleteFrom("user_notification").where("about_id", "=", id).execute();
  await deleteAssignmentNotifications(db, { organizationId: id });
  for (const table of ["team", "oauth_application", "prototype", "proxy_cache"] as const) {
    await db.deleteFrom(table).where("organization_id", "=", id).execute();
  }
  for (const table of ["quota", "prune_policy", "event_notification"] as const) {
    await db.deleteFrom(table).where("namespace_id", "=", id).execute();
  }
  await db.deleteFrom("session").where("account_id", "=", id).execute();
  await removePersonalBelongings(db, id);
}

/** Records that a namespace is deleted. The database refuses a second row for the same namespace. */
export async function retireNamespace(db: RegistryDb, namespace: NewRow<"retired_namespace">): Promise<void> {
  await db.insertInto("retired_namespace").values(namespace).execute();
}

/** Removes the name, the e-mail address and the credentials of an account. */
export async function disableAccount(db: RegistryDb, id: string): Promise<void> {
  await db
    .updateTable("account")
    .set((eb) => ({
      username: `:${id}`, // not a valid name in a request
      email: null,
      password_hash: null,
      enabled: 0,
      credential_version: eb("credential_version", "+", 1),
    }))
    .where("id", "=", id)
    .execute();
}

/** The tables with personal rows of an account, by `account_id`. */
export const personalTables = [
  "email_code",
  "external_login",
  "directory_login",
  "team_member",
  "team_invite",
  "oauth_token",
  "oauth_code",
  "oauth_assignment",
  "app_token",
  "user_notification",
  "account_permission",
  "repository_star",
] as const;

/**
 * Removes the personal rows of an account: credentials except its password and its sessions, memberships, grants, default permissions,
 * messages, stars.
 */
export async function removePersonalBelongings(db: RegistryDb, accountId: string): Promise<void> {
  for (const table of personalTables) await db.deleteFrom(table).where("account_id", "=", accountId).execute();
  await db
    .deleteFrom("prototype")
    .where((where) => where.or([where("activating_id", "=", accountId), where("delegate_account_id", "=", accountId)]))
    .execute();
}

/** Deletes the stars of repositories. */
export async function removeStars(db: RegistryDb, repositoryIds: readonly string[]): Promise<void> {
  await db.deleteFrom("repository_star").where("repository_id", "in", repositoryIds).execute();
}

/** Deletes the mirrors of repositories, and returns them. */
export function removeMirrors(db: RegistryDb, repositoryIds: readonly string[]) {
  return db
    .deleteFrom("repository_mirror")
    .where("repository_id", "in", repositoryIds)
    .returning("repository_id")
    .execute();
}

/** Cancels the builds of repositories that wait or run, and returns them. */
export function cancelUnfinishedBuilds(db: RegistryDb, repositoryIds: readonly string[]) {
  return db
    .updateTable("build")
    .set({ phase: "cancelled", token_hash: null })
    .where("repository_id", "in", repositoryIds)
    .where("phase", "in", unfinished)
    .returning("id")
    .execute();
}

/** Marks repositories as deleted; their names are free. */
export async function markRepositoriesDeleted(db: RegistryDb, ids: readonly string[], now: number): Promise<void> {
  await db
    .updateTable("image_repository")
    .set((eb) => ({ name: eb.ref("id"), state: "deleted", deleted_at: now }))
    .where("id", "in", ids)
    .where("state", "!=", "deleted")
    .execute();
}
