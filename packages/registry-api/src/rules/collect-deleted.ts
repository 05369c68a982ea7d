import type { BlobStore } from "../ports.ts";
import { lockIfThere } from "../store/lock-repository.ts";
import type { RegistryDb, RegistryStore } from "../store/tables/all.ts";
import { deleteManifests } from "./collect-manifests.ts";
import { removeUpload } from "./collect-uploads.ts";
import { forgetUsage } from "./quota-notices.ts";
import type { CountedRepository } from "./usage.ts";

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
  while (await removeSome(store, repositoryId));
}

/** @returns whether there is more */
async function removeSome(store: RegistryStore, repositoryId: string): Promise<boolean> {
  return store.transaction(async (db) => {
    const locked = await lockIfThere(db, repositoryId); // another collection may have removed it
    if (locked?.state !== "deleted") return false;
    await db.deleteFrom("tag").where("repository_id", "=", repositoryId).execute();
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

/** Removes a deleted namespace with its repositories: its name is free then. Nothing happens to one that is not deleted. */
export async function removeRetiredNamespace(store: RegistryStore, blobs: BlobStore, accountId: string): Promise<void> {
  const retired = await store.db
    .selectFrom("retired_namespace")
    .select("account_id")
    .where("account_id", "=", accountId)
    .executeTakeFirst();
  if (retired === undefined) return;
  const repositories = await store.db
    .selectFrom("image_repository")
    .select("id")
    .where("namespace_id", "=", accountId)
    .execute();
  for (const { id } of repositories) await removeDeletedRepository(store, blobs, id);
  await store.db.deleteFrom("account").where("id", "=", accountId).execute();
}
