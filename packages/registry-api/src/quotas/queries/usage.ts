import { compileOnce, type Parameter } from "@plimsoll/store";
import { sql } from "kysely";
import { lockNamespace } from "../../access/queries/accounts.ts";
import { inChunks } from "../../store/bounded-reads.ts";
import type { RegistryDb } from "../../store/tables/all.ts";

/** A repository and its namespace: its blobs count for both. */
export interface CountedRepository {
  readonly id: string;
  readonly namespaceId: string;
}

/** The used bytes of a namespace: each blob in its repositories counts once, until it is collected. */
export async function namespaceUsage(db: RegistryDb, namespaceId: string): Promise<number> {
  const [row] = await findUsage(db, { namespaceId });
  return row?.size_bytes ?? 0;
}

const findUsage = compileOnce((db: RegistryDb, parameter: Parameter<{ namespaceId: string }>) =>
  db.selectFrom("namespace_usage").select("size_bytes").where("namespace_id", "=", parameter("namespaceId")),
);

/** The bytes of a namespace's uploads in progress: received and reserved ones. */
export async function uploadingBytes(db: RegistryDb, namespaceId: string): Promise<number> {
  const { bytes } = await db
    .selectFrom("upload")
    .select(({ fn }) => fn.coalesce(fn.sum<number>("received_bytes"), sql.lit(0)).as("bytes"))
    .where("namespace_id", "=", namespaceId)
    .executeTakeFirstOrThrow();
  return Number(bytes);
}

/** The used bytes of a namespace, including uploads in progress. */
export async function occupiedBytes(db: RegistryDb, namespaceId: string): Promise<number> {
  const [row] = await findOccupied(db, { namespaceId });
  return row?.bytes ?? 0;
}

const findOccupied = compileOnce((_: RegistryDb, parameter: Parameter<{ namespaceId: string }>) => {
  const namespace = parameter("namespaceId");
  return sql<{ bytes: number }>`select
    coalesce((select size_bytes from namespace_usage where namespace_id = ${namespace}), 0)
    + cast(coalesce((select sum(received_bytes) from upload where namespace_id = ${namespace}), 0) as bigint) as bytes`;
});

/** As {@link uploadingBytes}, but counts at least `bytes` for one of the uploads. */
export async function uploadingBytesWith(
  db: RegistryDb,
  namespaceId: string,
  { uploadId, bytes }: { readonly uploadId: string; readonly bytes: number },
): Promise<number> {
  const row = await db
    .selectFrom("upload")
    .select(({ fn, eb, case: when }) => {
      const isShort = eb.and([eb("id", "=", uploadId), eb("received_bytes", "<", bytes)]);
      const counted = when()
        .when(isShort)
        .then(sql<number>`cast(${bytes} as bigint)`)
        .else(eb.ref("received_bytes"))
        .end();
      return fn.coalesce(fn.sum<number>(counted), sql.lit(0)).as("bytes");
    })
    .where("namespace_id", "=", namespaceId)
    .executeTakeFirstOrThrow();
  return Number(row.bytes);
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
  const { size_bytes } = await db
    .insertInto("namespace_usage")
    .values({ namespace_id: namespaceId, size_bytes: Math.max(0, byBytes) })
    .onConflict((conflict) =>
      conflict
        .column("namespace_id")
        .doUpdateSet(({ eb }) => ({ size_bytes: eb("namespace_usage.size_bytes", "+", byBytes) })),
    )
    .returning("size_bytes")
    .executeTakeFirstOrThrow();
  return size_bytes;
}

function sumOf(blobs: readonly DiscountedBlob[]): number {
  return blobs.reduce((bytes, { size_bytes }) => bytes + size_bytes, 0);
}
