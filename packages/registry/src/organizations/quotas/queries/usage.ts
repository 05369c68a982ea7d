import { compileOnce, type Parameter } from "@plimsoll/store";
import { sql } from "kysely";
import { lockNamespace } from "../../../access/queries.ts";
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
interface CountedMetadata {
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

/** The bytes of a namespace's uploads in progress: received and reserved ones. */
export interface Uploading {
  /** Those that count for the quota. As many bytes as {@link damagedBytes} do not: they may be those that heal the blobs. */
  readonly countedBytes: number;
  /** Those that repeat no blob, whether they count or not. */
  readonly newBytes: number;
  /** The size of all damaged blobs of the namespace. */
  readonly damagedBytes: number;
  /** The size of the largest of them; 0 if there is none. No larger upload heals a blob. */
  readonly largestDamagedBytes: number;
  /** Those that repeat a blob which the namespace has. They add nothing to it, so they do not count. */
  readonly repeatedBytes: number;
  /** How many uploads are in progress. */
  readonly uploads: number;
}

/** The bytes of a namespace's uploads in progress. An upload with the digest of a held blob repeats as many bytes as the blob has. */
export async function findUploading(db: RegistryDb, namespaceId: string): Promise<Uploading> {
  return uploadingOf(await selectUploading(db, { namespaceId }));
}

interface OccupiedColumns {
  readonly size_bytes: number;
  readonly metadata_bytes: number;
  readonly received: number;
  readonly repeated: number;
  readonly damaged: number;
  readonly largest_damaged: number;
  readonly uploads: number;
}

const selectUploading = compileOnce((_: RegistryDb, parameter: Parameter<{ namespaceId: string }>) => {
  const namespace = parameter("namespaceId");
  return sql<OccupiedColumns>`select
    coalesce((select size_bytes from namespace_usage where namespace_id = ${namespace}), 0) as size_bytes,
    coalesce((select metadata_bytes from namespace_usage where namespace_id = ${namespace}), 0) as metadata_bytes,
    cast(coalesce(sum(received_bytes), 0) as bigint) as received,
    cast(coalesce(sum(case when held.size_bytes < received_bytes then held.size_bytes
      when held.size_bytes is not null then received_bytes else 0 end), 0) as bigint) as repeated,
    cast(coalesce((select sum(lost.size_bytes) from blob join namespace_blob as lost on lost.digest = blob.digest
      where blob.damaged_at is not null and lost.namespace_id = ${namespace}), 0) as bigint) as damaged,
    coalesce((select max(lost.size_bytes) from blob join namespace_blob as lost on lost.digest = blob.digest
      where blob.damaged_at is not null and lost.namespace_id = ${namespace}), 0) as largest_damaged,
    count(*) as uploads
    from upload left join namespace_blob as held
      on held.namespace_id = upload.namespace_id and held.digest = upload.digest
    where upload.namespace_id = ${namespace}`;
});

function uploadingOf([row]: readonly OccupiedColumns[]): Uploading {
  const [repeatedBytes, damagedBytes] = [Number(row?.repeated ?? 0), Number(row?.damaged ?? 0)];
  const newBytes = Number(row?.received ?? 0) - repeatedBytes;
  const countedBytes = Math.max(0, newBytes - damagedBytes);
  const [largestDamagedBytes, uploads] = [Number(row?.largest_damaged ?? 0), Number(row?.uploads ?? 0)];
  return { countedBytes, newBytes, damagedBytes, largestDamagedBytes, repeatedBytes, uploads };
}

/** The bytes of a namespace's uploads in progress that count for its quota. */
export async function uploadingBytes(db: RegistryDb, namespaceId: string): Promise<number> {
  return (await findUploading(db, namespaceId)).countedBytes;
}

/** The bytes of a namespace, and those of its uploads in progress. */
interface Occupied extends Uploading {
  /** Those of the namespace, without uploads. */
  readonly usedBytes: number;
}

/** As {@link findUploading}, with the used bytes of the namespace. */
export async function findOccupied(db: RegistryDb, namespaceId: string): Promise<Occupied> {
  const rows = await selectUploading(db, { namespaceId });
  return { usedBytes: countedBytes(usageOf(rows)), ...uploadingOf(rows) };
}
