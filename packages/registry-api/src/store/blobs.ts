import { oneAtATime } from "@plimsoll/store";
import type { Transaction } from "kysely";
import { lockRepository } from "./lock-repository.ts";
import type { RegistryDb, RegistryStore, RegistryTables } from "./tables/all.ts";

/** A blob as a repository has it. */
export interface LinkedBlob {
  readonly digest: string;
  readonly size_bytes: number;
  readonly linked_at: number;
}

/** A blob that a repository has. */
export async function findLinkedBlob(
  db: RegistryDb,
  repositoryId: string,
  digest: string,
): Promise<LinkedBlob | undefined> {
  return linkedBlobs(db, repositoryId).where("blob.digest", "=", digest).executeTakeFirst();
}

/** Those of some blobs that a repository has. */
export async function listLinkedBlobs(
  db: RegistryDb,
  repositoryId: string,
  digests: readonly string[],
): Promise<readonly LinkedBlob[]> {
  if (digests.length === 0) return [];
  return linkedBlobs(db, repositoryId).where("blob.digest", "in", digests).execute();
}

function linkedBlobs(db: RegistryDb, repositoryId: string) {
  return db
    .selectFrom("repository_blob")
    .innerJoin("blob", "blob.digest", "repository_blob.digest")
    .select(["blob.digest", "blob.size_bytes", "repository_blob.linked_at"])
    .where("repository_blob.repository_id", "=", repositoryId);
}

/** Lets one transaction at a time make, link or remove the blob of a digest, until it ends. */
export async function lockDigest(
  store: RegistryStore,
  transaction: Transaction<RegistryTables>,
  digest: string,
): Promise<void> {
  await oneAtATime(store, transaction, `registry.blob:${digest}`);
}

/** Gives a repository a blob that there is, or lets it have it from now on anew. Belongs under the lock of the digest. */
export async function linkBlob(
  db: RegistryDb,
  link: { readonly repositoryId: string; readonly digest: string; readonly now: number },
): Promise<void> {
  const { repositoryId: repository_id, digest, now: linked_at } = link;
  await db
    .insertInto("repository_blob")
    .values({ repository_id, digest, linked_at, manifests: 0 })
    .onConflict((conflict) => conflict.columns(["repository_id", "digest"]).doUpdateSet({ linked_at }))
    .execute();
}

/** Takes a blob from a repository. @returns false where a manifest of the repository needs it */
export async function unlinkBlob(db: RegistryDb, repositoryId: string, digest: string): Promise<boolean> {
  await lockRepository(db, repositoryId);
  const unlinked = await db
    .deleteFrom("repository_blob")
    .where("repository_id", "=", repositoryId)
    .where("digest", "=", digest)
    .where("manifests", "=", 0)
    .returning("digest")
    .executeTakeFirst();
  return unlinked !== undefined;
}
