import { sql } from "kysely";
import { lockIfThere } from "../content/queries/lock-repository.ts";
import { deleteInviteNotifications } from "../events/queries/user-notifications.ts";
import type { BlobStore } from "../ports.ts";
import { forgetUsage } from "../quotas/quota-notices.ts";
import type { CountedRepository } from "../quotas/usage.ts";
import { deleteInSteps } from "../store/delete-in-steps.ts";
import type { RegistryDb, RegistryStore } from "../store/tables/all.ts";
import { deleteManifests } from "./collect-manifests.ts";
import { removeUpload } from "./collect-uploads.ts";
import { hideRepositories } from "./hide-repositories.ts";
import { personalTables } from "./queries/personal-belongings.ts";
import { removeBelongings } from "./remove-belongings.ts";

/** How many manifests go in one transaction. */
const pageLength = 200;

/**
 * Removes a deleted repository with all that it held; its blobs are collected when no other repository has them. Nothing happens
 * to one that is not deleted, or gone.
 */
export async function removeDeletedRepository(
  store: RegistryStore,
  blobs: BlobStore,
  repositoryId: string,
): Promise<void> {
  const uploads = await store.db
    .selectFrom("upload")
    .innerJoin("image_repository", "image_repository.id", "upload.repository_id")
    .select("upload.id")
    .where("upload.repository_id", "=", repositoryId)
    .where("image_repository.state", "=", "deleted")
    .execute();
  for (const { id } of uploads) await removeUpload(store, blobs, id);
  if (!(await isDeleted(store.db, repositoryId))) return;
  const ofIt = { column: "repository_id", values: [repositoryId] };
  for (const table of ["account_permission", "team_permission"] as const) await deleteInSteps(store, table, ofIt);
  while (await removeSome(store, repositoryId));
}

async function isDeleted(db: RegistryDb, repositoryId: string): Promise<boolean> {
  const row = await db.selectFrom("image_repository").select("state").where("id", "=", repositoryId).executeTakeFirst();
  return row?.state === "deleted";
}

/** Removes tags of a repository that has some. @returns whether it had */
async function removeTags(db: RegistryDb, repositoryId: string): Promise<boolean> {
  const tags = db.selectFrom("tag").select("id").where("repository_id", "=", repositoryId).limit(pageLength);
  const removed = await db.deleteFrom("tag").where("id", "in", tags).executeTakeFirst();
  return removed.numDeletedRows > 0n;
}

/** @returns whether there is more */
async function removeSome(store: RegistryStore, repositoryId: string): Promise<boolean> {
  return store.transaction(async (db) => {
    const locked = await lockIfThere(db, repositoryId); // another collection may have removed it
    if (locked?.state !== "deleted") return false;
    if (await removeTags(db, repositoryId)) return true;
    const manifests = await db
      .selectFrom("image_manifest")
      .select("id")
      .where("repository_id", "=", repositoryId)
      .limit(pageLength)
      .execute();
    await deleteManifests(db, { id: repositoryId, namespaceId: locked.namespace_id }, manifests);
    if (manifests.length === pageLength) return true;
    if (await unlinkSome(db, { id: repositoryId, namespaceId: locked.namespace_id })) return true;
    await db.deleteFrom("image_repository").where("id", "=", repositoryId).execute();
    return false;
  });
}

/** Takes blobs from a repository that has no manifests. @returns whether it had any */
async function unlinkSome(db: RegistryDb, repository: CountedRepository): Promise<boolean> {
  const links = db.selectFrom("repository_blob").select("digest").where("repository_id", "=", repository.id);
  const unlinked = await db
    .deleteFrom("repository_blob")
    .where("repository_id", "=", repository.id)
    .where("digest", "in", links.orderBy("digest").limit(pageLength))
    .returning("digest")
    .execute();
  await forgetUsage(
    db,
    repository,
    unlinked.map(({ digest }) => digest),
  );
  return unlinked.length > 0;
}

/**
 * Removes a deleted namespace with its repositories: its name is free then. Nothing happens to one that is not deleted. It goes in
 * steps, between which others are served, and can be stopped and begun again at any moment.
 */
export async function removeRetiredNamespace(
  store: RegistryStore,
  blobs: BlobStore,
  accountId: string,
  signal?: AbortSignal,
): Promise<void> {
  const retired = await store.db
    .selectFrom("retired_namespace")
    .select(["account_id", "retired_at"])
    .where("account_id", "=", accountId)
    .executeTakeFirst();
  if (retired === undefined) return;
  const repositories = () => findSome(store.db, "image_repository", ["id", "namespace_id"], accountId);
  for (let ids = await repositories(); ids.length > 0; ids = await repositories()) {
    signal?.throwIfAborted();
    await store.transaction((db) => hideRepositories(db, ids, retired.retired_at));
    for (const id of ids) {
      signal?.throwIfAborted();
      await removeDeletedRepository(store, blobs, id);
    }
  }
  await removeRobots(store, accountId, signal);
  await removeTeams(store, accountId, signal);
  for (const table of personalTables) await deleteInSteps(store, table, { column: "account_id", values: [accountId] });
  await store.transaction(async (db) => {
    await removeBelongings(db, accountId);
    await db.deleteFrom("account").where("id", "=", accountId).execute();
  });
}

/** The robots of a namespace, with what they were granted. */
async function removeRobots(store: RegistryStore, ownerId: string, signal?: AbortSignal): Promise<void> {
  const robots = () => findSome(store.db, "robot", ["account_id", "owner_id"], ownerId);
  for (let ids = await robots(); ids.length > 0; ids = await robots()) {
    signal?.throwIfAborted();
    for (const table of ["account_permission", "team_member"] as const) {
      await deleteInSteps(store, table, { column: "account_id", values: ids });
    }
    await store.transaction((db) => db.deleteFrom("account").where("id", "in", ids).execute());
  }
}

/** The teams of an organization, with their members and what they were granted. */
async function removeTeams(store: RegistryStore, organizationId: string, signal?: AbortSignal): Promise<void> {
  const teams = () => findSome(store.db, "team", ["id", "organization_id"], organizationId);
  for (let ids = await teams(); ids.length > 0; ids = await teams()) {
    signal?.throwIfAborted();
    for (const table of ["team_permission", "team_member"] as const) {
      await deleteInSteps(store, table, { column: "team_id", values: ids });
    }
    await store.transaction(async (db) => {
      await deleteInviteNotifications(db, ids);
      await db.deleteFrom("team").where("id", "in", ids).execute();
    });
  }
}

/** So much of a namespace is taken away at a time. */
const stepLength = 50;

async function findSome(
  db: RegistryDb,
  table: "image_repository" | "robot" | "team",
  [key, owner]: readonly [key: string, owner: string],
  ownerId: string,
): Promise<readonly string[]> {
  const { rows } = await sql<{ readonly key: string }>`
    select ${sql.ref(key)} as key from ${sql.table(table)} where ${sql.ref(owner)} = ${ownerId}
    limit ${stepLength}`.execute(db);
  return rows.map((row) => row.key);
}
