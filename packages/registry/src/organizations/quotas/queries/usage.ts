import { compileOnce, type Parameter } from "@plimsoll/store";
import { lockNamespace } from "../../../access/queries/accounts.ts";
import { inChunks } from "../../../store/bounded-reads.ts";
import type { RegistryDb } from "../../../store/tables/all.ts";

/** A repository and its namespace: its blobs count for both. */
export interface CountedRepository {
  readonly id: string;
  readonly namespaceId: string;
}

/** The bytes that a namespace keeps. */
export interface NamespaceUsage {
  /** Each blob in its repositories counts once, until it is collected. */
  readonly blobBytes: number;
  /** Manifests and labels count in each repository, until the manifest is collected. */
  readonly metadataBytes: number;
}

/**
 * How many bytes of manifests and labels count for no quota: ordinary images have a few thousand each, and clients expect that a quota is
 * about blobs. Further ones count as blobs do.
 */
export const freeMetadataBytes = 1024 * 1024;

/** The bytes that count for the quota of a namespace. */
export function countedBytes({ blobBytes, metadataBytes }: NamespaceUsage): number {
  return blobBytes + Math.max(0, metadataBytes - freeMetadataBytes);
}

/** The bytes that count for the quota of a namespace: see {@link countedBytes}. */
export async function namespaceUsage(db: RegistryDb, namespaceId: string): Promise<number> {
  return countedBytes(await findNamespaceUsage(db, namespaceId));
}

/** The bytes that a namespace keeps. */
export async function findNamespaceUsage(db: RegistryDb, namespaceId: string): Promise<NamespaceUsage> {
  return usageOf(await findUsage(db, { namespaceId }));
}

const findUsage = compileOnce((db: RegistryDb, parameter: Parameter<{ namespaceId: string }>) =>
  db
    .selectFrom("namespace_usage")
    .select(["size_bytes", "metadata_bytes"])
    .where("namespace_id", "=", parameter("namespaceId")),
);

/** The usage in the row of a namespace, if it has one. */
export function usageOf([row]: readonly {
  readonly size_bytes: number | null;
  readonly metadata_bytes: number | null;
}[]): NamespaceUsage {
  return { blobBytes: row?.size_bytes ?? 0, metadataBytes: row?.metadata_bytes ?? 0 };
}

/** A manifest whose bytes begin or cease to count. */
export interface CountedMetadata {
  readonly namespaceId: string;
  /** Negative: they cease. */
  readonly byBytes: number;
}

/** A statement that adds to the metadata of a namespace, and returns the new usage. It locks the usage until the transaction ends. */
export function resizingMetadata(db: RegistryDb, { namespaceId, byBytes }: CountedMetadata) {
  return db
    .insertInto("namespace_usage")
    .values({ namespace_id: namespaceId, size_bytes: 0, metadata_bytes: Math.max(0, byBytes) })
    .onConflict((conflict) =>
      conflict
        .column("namespace_id")
        .doUpdateSet(({ eb }) => ({ metadata_bytes: eb("namespace_usage.metadata_bytes", "+", byBytes) })),
    )
    .returning(["size_bytes", "metadata_bytes"]);
}

/** Adds to the metadata of a namespace: see {@link resizingMetadata}. @returns the bytes that count for its quota */
export async function resizeMetadata(db: RegistryDb, counted: CountedMetadata): Promise<number> {
  return countedBytes(usageOf(await resizingMetadata(db, counted).execute()));
}

/** The size of a blob in bytes; 0 if the namespace does not have it. */
export async function heldBytes(db: RegistryDb, namespaceId: string, digest: string): Promise<number> {
  const held = db.selectFrom("namespace_blob").select("size_bytes").where("namespace_id", "=", namespaceId);
  return (await held.where("digest", "=", digest).executeTakeFirst())?.size_bytes ?? 0;
}

/** A blob that a repository did not have before. */
export interface CountedBlob {
  readonly digest: string;
  readonly sizeBytes: number;
}

/**
 * Adds a new blob of a repository to the usage. It adds to the namespace only if no other of its repositories has it. Must run in the
 * transaction that links the blob, under the lock of its digest. Locks the usage of the namespace until the transaction ends.
 * @returns the usage of the namespace, if it has grown
 */
export async function addUsage(
  db: RegistryDb,
  repository: CountedRepository,
  { digest, sizeBytes: size_bytes }: CountedBlob,
): Promise<number | undefined> {
  const { namespaceId: namespace_id } = repository;
  await resizeRepository(db, repository, size_bytes);
  const { repositories } = await db
    .insertInto("namespace_blob")
    .values({ namespace_id, digest, size_bytes, repositories: 1 })
    .onConflict((conflict) =>
      conflict
        .columns(["namespace_id", "digest"])
        .doUpdateSet(({ eb }) => ({ repositories: eb("namespace_blob.repositories", "+", 1) })),
    )
    .returning("repositories")
    .executeTakeFirstOrThrow();
  return repositories === 1 ? resizeNamespace(db, namespace_id, size_bytes) : undefined;
}

/**
 * Subtracts blobs that a repository no longer has from the usage. Must run in the transaction that unlinks them and has locked the
 * repository. Locks the namespace first, so that two such transactions cannot deadlock.
 * @returns the usage of the namespace, if it has shrunk
 */
export async function subtractUsage(
  db: RegistryDb,
  repository: CountedRepository,
  digests: readonly string[],
): Promise<number | undefined> {
  if (digests.length === 0) return undefined;
  const { namespaceId } = repository;
  await lockNamespace(db, namespaceId);
  const rows: DiscountedBlob[] = [];
  for (const some of inChunks(digests)) rows.push(...(await discountInNamespace(db, namespaceId, some)));
  await resizeRepository(db, repository, -sumOf(rows));
  const freed = sumOf(rows.filter(({ repositories }) => repositories <= 0));
  return freed === 0 ? undefined : resizeNamespace(db, namespaceId, -freed);
}

/** Locks the usage of a namespace until the transaction ends. @returns the usage */
export async function lockUsage(db: RegistryDb, namespaceId: string): Promise<number> {
  return resizeNamespace(db, namespaceId, 0);
}

interface DiscountedBlob {
  readonly size_bytes: number;
  readonly repositories: number;
}

async function discountInNamespace(
  db: RegistryDb,
  namespaceId: string,
  digests: readonly string[],
): Promise<readonly DiscountedBlob[]> {
  const rows = await db
    .updateTable("namespace_blob")
    .set(({ eb }) => ({ repositories: eb("repositories", "-", 1) }))
    .where("namespace_id", "=", namespaceId)
    .where("digest", "in", digests)
    .returning(["size_bytes", "repositories"])
    .execute();
  await db
    .deleteFrom("namespace_blob")
    .where("namespace_id", "=", namespaceId)
    .where("digest", "in", digests)
    .where("repositories", "<=", 0)
    .execute();
  return rows;
}

async function resizeRepository(db: RegistryDb, { id }: CountedRepository, byBytes: number): Promise<void> {
  await db
    .updateTable("image_repository")
    .set(({ eb }) => ({ size_bytes: eb("size_bytes", "+", byBytes) }))
    .where("id", "=", id)
    .execute();
}

async function resizeNamespace(db: RegistryDb, namespaceId: string, byBytes: number): Promise<number> {
  const rows = await db
    .insertInto("namespace_usage")
    .values({ namespace_id: namespaceId, size_bytes: Math.max(0, byBytes) })
    .onConflict((conflict) =>
      conflict
        .column("namespace_id")
        .doUpdateSet(({ eb }) => ({ size_bytes: eb("namespace_usage.size_bytes", "+", byBytes) })),
    )
    .returning(["size_bytes", "metadata_bytes"])
    .execute();
  return countedBytes(usageOf(rows));
}

function sumOf(blobs: readonly DiscountedBlob[]): number {
  return blobs.reduce((bytes, { size_bytes }) => bytes + size_bytes, 0);
}
