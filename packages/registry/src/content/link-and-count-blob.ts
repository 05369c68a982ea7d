import { addUsage } from "../organizations/quotas/queries/usage.ts";
import type { RegistryDb, RegistryStore } from "../store/tables/all.ts";
import { type BlobLink, insertBlob, linkBlob, linkInOneStatement } from "./queries/link-and-count-blob.ts";

/**
 * Links a blob to a repository, or renews the link. Its bytes count for the repository if it did not have the blob, and for the
 * namespace if none of its other repositories had it. Must run in a transaction that has locked the digest. Until it ends, other
 * transactions that change the usage of the namespace wait.
 * @returns the usage of the namespace in bytes if it has grown, otherwise undefined
 */
export async function linkAndCountBlob(
  store: RegistryStore,
  db: RegistryDb,
  blob: BlobLink,
): Promise<number | undefined> {
  return store.kind === "postgres" ? linkInOneStatement(db, blob) : linkStepByStep(db, blob);
}

async function linkStepByStep(db: RegistryDb, { repository, digest, sizeBytes, now }: BlobLink) {
  await insertBlob(db, { digest, size_bytes: sizeBytes, created_at: now });
  const isNew = await linkBlob(db, { repository_id: repository.id, digest, linked_at: now });
  return isNew ? addUsage(db, repository, { digest, sizeBytes }) : undefined;
}
