import { isDigest } from "@plimsoll/core/digest";
import { compileOnce, oneAtATime, type Parameter, transactionLock } from "@plimsoll/store";
import type { RawBuilder, Transaction } from "kysely";
import { inChunks } from "../../store/bounded-reads.ts";
import type { RegistryDb, RegistryStore, RegistryTables } from "../../store/tables/all.ts";

/** A blob of a repository. */
export interface LinkedBlob {
  readonly digest: string;
  readonly size_bytes: number;
  readonly linked_at: number;
  /** How many manifests of the repository have it. */
  readonly manifests: number;
}

/** Finds a blob of a repository. It does not have a blob whose content is damaged, so that clients send it again. */
export async function findLinkedBlob(
  db: RegistryDb,
  repositoryId: string,
  digest: string,
): Promise<LinkedBlob | undefined> {
  if (!isDigest(digest)) return undefined;
  const [blob] = await findLinked(db, { repositoryId, digest });
  return blob;
}

const findLinked = compileOnce((db: RegistryDb, parameter: Parameter<{ repositoryId: string; digest: string }>) =>
  linkedBlobs(db, parameter("repositoryId")).where("blob.digest", "=", parameter("digest")),
);

/** A query of those of the given blobs that a repository has, and that are not damaged. */
export function linkedBlobsOf(db: RegistryDb, repositoryId: string, digests: readonly string[]) {
  return linkedBlobs(db, repositoryId).where("blob.digest", "in", digests);
}

function linkedBlobs(db: RegistryDb, repositoryId: string | RawBuilder<string>) {
  return db
    .selectFrom("repository_blob")
    .innerJoin("blob", "blob.digest", "repository_blob.digest")
    .select(["blob.digest", "blob.size_bytes", "repository_blob.linked_at", "repository_blob.manifests"])
    .where("repository_blob.repository_id", "=", repositoryId)
    .where("blob.damaged_at", "is", null);
}

/** Locks a digest: until this transaction ends, no other one creates, links or removes its blob. */
export async function lockDigest(
  store: RegistryStore,
  transaction: Transaction<RegistryTables>,
  digest: string,
): Promise<void> {
  await oneAtATime(store, transaction, { name: lockName(digest) });
}

/** {@link lockDigest} as a statement to run together with others; undefined where transactions never overlap. */
export function digestLock(store: RegistryStore, db: RegistryDb, digest: string) {
  return transactionLock(store, db, lockName(digest));
}

function lockName(digest: string): string {
  return `registry.blob:${digest}`;
}

/** Changes the number of a repository's manifests that have the given blobs, by one. */
export async function countManifests(
  db: RegistryDb,
  repositoryId: string,
  { digests, step }: { readonly digests: readonly string[]; readonly step: 1 | -1 },
): Promise<void> {
  for (const some of inChunks([...new Set(digests)]))
    await countingManifests(db, repositoryId, { digests: some, step }).execute();
}

/** {@link countManifests} as one statement, for distinct digests that fit in it. */
export function countingManifests(
  db: RegistryDb,
  repositoryId: string,
  { digests, step }: { readonly digests: readonly string[]; readonly step: 1 | -1 },
) {
  return db
    .updateTable("repository_blob")
    .set(({ eb }) => ({ manifests: eb("manifests", "+", step) }))
    .where("repository_id", "=", repositoryId)
    .where("digest", "in", digests);
}

/** Unlinks a blob from a repository that is locked. @returns false if a manifest of the repository needs it */
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
