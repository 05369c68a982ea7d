import { sql } from "kysely";
import { inChunks } from "../store/chunks.ts";
import type { RegistryDb } from "../store/tables/all.ts";

/** A repository, and the namespace for which its blobs count, too. */
export interface CountedRepository {
  readonly id: string;
  readonly namespaceId: string;
}

/** How many bytes count for a namespace: each blob of its image manifests once. */
export async function namespaceUsage(db: RegistryDb, namespaceId: string): Promise<number> {
  const row = await db
    .selectFrom("namespace_usage")
    .select("size_bytes")
    .where("namespace_id", "=", namespaceId)
    .executeTakeFirst();
  return row?.size_bytes ?? 0;
}

/** The bytes of the uploads that a namespace has under way. */
export async function uploadingBytes(db: RegistryDb, namespaceId: string): Promise<number> {
  const { bytes } = await db
    .selectFrom("upload")
    .select(({ fn }) => fn.coalesce(fn.sum<number>("received_bytes"), sql.lit(0)).as("bytes"))
    .where("namespace_id", "=", namespaceId)
    .executeTakeFirstOrThrow();
  return Number(bytes);
}

/**
 * Counts the blobs of a new image manifest: for its repository those that no other manifest of it has, for the namespace those
 * that no other of its repositories counts. Belongs into the transaction that makes the manifest and has locked the repository;
 * others that count for the namespace wait for its end.
 * @returns the usage of the namespace where it has grown
 */
export async function addUsage(
  db: RegistryDb,
  repository: CountedRepository,
  digests: readonly string[],
): Promise<number | undefined> {
  const gained = await countManifests(db, repository, digests, 1);
  if (gained.length === 0) return undefined;
  const before = await lockUsage(db, repository.namespaceId);
  const rows: CountedBlob[] = [];
  for (const some of inChunks(gained)) rows.push(...(await countInNamespace(db, repository.namespaceId, some)));
  await resizeRepository(db, repository, sumOf(rows));
  return resizeNamespace(db, repository, { before, by: sumOf(rows.filter(({ repositories }) => repositories === 1)) });
}

/**
 * Takes the blobs of an image manifest that goes from what counts. Belongs into the same transaction, under the same lock.
 * @returns the usage of the namespace where it has shrunk
 */
export async function subtractUsage(
  db: RegistryDb,
  repository: CountedRepository,
  digests: readonly string[],
): Promise<number | undefined> {
  const lost = await countManifests(db, repository, digests, -1);
  if (lost.length === 0) return undefined;
  const before = await lockUsage(db, repository.namespaceId);
  const rows: CountedBlob[] = [];
  for (const some of inChunks(lost)) rows.push(...(await discountInNamespace(db, repository.namespaceId, some)));
  await resizeRepository(db, repository, -sumOf(rows));
  return resizeNamespace(db, repository, { before, by: -sumOf(rows.filter(({ repositories }) => repositories <= 0)) });
}

/** @returns the digests of which the first manifest has come, or the last has gone, in an order that is always the same */
async function countManifests(
  db: RegistryDb,
  { id }: CountedRepository,
  digests: readonly string[],
  step: 1 | -1,
): Promise<readonly string[]> {
  const turned: string[] = [];
  for (const some of inChunks([...new Set(digests)])) {
    const rows = await db
      .updateTable("repository_blob")
      .set(({ eb }) => ({ manifests: eb("manifests", "+", step) }))
      .where("repository_id", "=", id)
      .where("digest", "in", some)
      .returning(["digest", "manifests"])
      .execute();
    const turning = step === 1 ? 1 : 0;
    turned.push(...rows.filter(({ manifests }) => manifests === turning).map(({ digest }) => digest));
  }
  return turned.sort();
}

interface CountedBlob {
  readonly size_bytes: number;
  readonly repositories: number;
}

async function countInNamespace(
  db: RegistryDb,
  namespaceId: string,
  digests: readonly string[],
): Promise<readonly CountedBlob[]> {
  return db
    .insertInto("namespace_blob")
    .columns(["namespace_id", "digest", "size_bytes", "repositories"])
    .expression((from) =>
      from
        .selectFrom("blob")
        .select([sql.val(namespaceId).as("namespace_id"), "digest", "size_bytes", sql.lit(1).as("repositories")])
        .where("digest", "in", digests),
    )
    .onConflict((conflict) =>
      conflict
        .columns(["namespace_id", "digest"])
        .doUpdateSet(({ eb }) => ({ repositories: eb("namespace_blob.repositories", "+", 1) })),
    )
    .returning(["size_bytes", "repositories"])
    .execute();
}

async function discountInNamespace(
  db: RegistryDb,
  namespaceId: string,
  digests: readonly string[],
): Promise<readonly CountedBlob[]> {
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

async function lockUsage(db: RegistryDb, namespaceId: string): Promise<number> {
  const { size_bytes } = await db
    .insertInto("namespace_usage")
    .values({ namespace_id: namespaceId, size_bytes: 0 })
    .onConflict((conflict) =>
      conflict.column("namespace_id").doUpdateSet(({ ref }) => ({ size_bytes: ref("namespace_usage.size_bytes") })),
    )
    .returning("size_bytes")
    .executeTakeFirstOrThrow();
  return size_bytes;
}

async function resizeRepository(db: RegistryDb, { id }: CountedRepository, byBytes: number): Promise<void> {
  await db
    .updateTable("image_repository")
    .set(({ eb }) => ({ size_bytes: eb("size_bytes", "+", byBytes) }))
    .where("id", "=", id)
    .execute();
}

async function resizeNamespace(
  db: RegistryDb,
  { namespaceId }: CountedRepository,
  { before, by }: { readonly before: number; readonly by: number },
): Promise<number | undefined> {
  if (by === 0) return undefined;
  const size_bytes = before + by;
  await db.updateTable("namespace_usage").set({ size_bytes }).where("namespace_id", "=", namespaceId).execute();
  return size_bytes;
}

function sumOf(blobs: readonly CountedBlob[]): number {
  return blobs.reduce((bytes, { size_bytes }) => bytes + size_bytes, 0);
}
