import { compileOnce, oneAtATime, type Parameter } from "@plimsoll/store";
import type { RawBuilder, Transaction } from "kysely";
import { inChunks } from "./chunks.ts";
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
  const [blob] = await findLinked(db, { repositoryId, digest });
  return blob;
}

const findLinked = compileOnce((db: RegistryDb, parameter: Parameter<{ repositoryId: string; digest: string }>) =>
  linkedBlobs(db, parameter("repositoryId")).where("blob.digest", "=", parameter("digest")),
);

/** Those of some blobs that a repository has. */
export async function listLinkedBlobs(
  db: RegistryDb,
  repositoryId: string,
  digests: readonly string[],
): Promise<readonly LinkedBlob[]> {
  if (digests.length === 0) return [];
  return linkedBlobs(db, repositoryId).where("blob.digest", "in", digests).execute();
}

function linkedBlobs(db: RegistryDb, repositoryId: string | RawBuilder<string>) {
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

/**
 * Gives a repository a blob that there is, or lets it have it from now on anew. Belongs under the lock of the digest.
 * @returns whether the repository did not have it before
 */
export async function linkBlob(
  db: RegistryDb,
  link: { readonly repositoryId: string; readonly digest: string; readonly now: number },
): Promise<boolean> {
  const { repositoryId: repository_id, digest, now: linked_at } = link;
  const inserted = await db
    .insertInto("repository_blob")
    .values({ repository_id, digest, linked_at, manifests: 0 })
    .onConflict((conflict) => conflict.doNothing())
    .returning("digest")
    .executeTakeFirst();
  if (inserted !== undefined) return true;
  const renewed = await db
    .updateTable("repository_blob")
    .set({ linked_at })
    .where("repository_id", "=", repository_id)
    .where("digest", "=", digest)
    .returning("digest")
    .executeTakeFirst();
  return renewed === undefined ? linkBlob(db, link) : false; // a collection may have taken it in between
}

/** Counts how many manifests of a repository have some blobs, after one more, or one fewer, has them. */
export async function countManifests(
  db: RegistryDb,
  repositoryId: string,
  digests: readonly string[],
  step: 1 | -1,
): Promise<void> {
  for (const some of inChunks([...new Set(digests)])) {
    await db
      .updateTable("repository_blob")
      .set(({ eb }) => ({ manifests: eb("manifests", "+", step) }))
      .where("repository_id", "=", repositoryId)
      .where("digest", "in", some)
      .execute();
  }
}

/** Takes a blob from a repository that is locked. @returns false where a manifest of the repository needs it */
export async function unlinkBlob(db: RegistryDb, repositoryId: string, digest: string): Promise<boolean> {
  const unlinked = await db
    .deleteFrom("repository_blob")
    .where("repository_id", "=", repositoryId)
    .where("digest", "=", digest)
    .where("manifests", "=", 0)
    .returning("digest")
    .executeTakeFirst();
  return unlinked !== undefined;
}
