import { compileOnce, type Parameter } from "@plimsoll/store";
import { sql } from "kysely";
import type { RegistrySettings } from "../settings.ts";
import { inChunks } from "../store/chunks.ts";
import { findQuota } from "../store/quotas.ts";
import type { RegistryDb } from "../store/tables/all.ts";

/** Bytes from which on a namespace is warned or refused. */
export interface UsageLimit {
  readonly type: "Warning" | "Reject";
  readonly fromBytes: number;
}

/** How many bytes count for a namespace: each blob of its image manifests once. */
export async function namespaceUsage(db: RegistryDb, namespaceId: string): Promise<number> {
  const [row] = await findUsage(db, { namespaceId });
  return row?.size_bytes ?? 0;
}

const findUsage = compileOnce((db: RegistryDb, parameter: Parameter<{ namespaceId: string }>) =>
  db.selectFrom("namespace_usage").select("size_bytes").where("namespace_id", "=", parameter("namespaceId")),
);

/** How many bytes count for each of some repositories: each blob of its image manifests once. The others have none. */
export async function repositoryUsages(
  db: RegistryDb,
  repositoryIds: readonly string[],
): Promise<ReadonlyMap<string, number>> {
  if (repositoryIds.length === 0) return new Map();
  const { rows } = await sql<{ repository_id: string; size_bytes: number }>`
    select repository_id, cast(sum(size_bytes) as bigint) as size_bytes from (
      select distinct image_manifest.repository_id, blob.digest, blob.size_bytes from image_manifest
        join manifest_blob on manifest_blob.manifest_id = image_manifest.id
        join blob on blob.digest = manifest_blob.digest
        where image_manifest.repository_id in (${sql.join(repositoryIds)})) as counted
    group by repository_id`.execute(db);
  return new Map(rows.map((row) => [row.repository_id, row.size_bytes]));
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

/** The limits of a namespace: of its quota, or of the registry's where it has none. */
export async function findUsageLimits(
  db: RegistryDb,
  settings: RegistrySettings,
  namespaceId: string,
): Promise<readonly UsageLimit[]> {
  if (!settings.features.quotas) return [];
  const quota = await findQuota(db, namespaceId);
  if (quota !== undefined) {
    return quota.limits.map(({ type, limit_percent }) => ({
      type,
      fromBytes: Math.floor((quota.limit_bytes * limit_percent) / 100),
    }));
  }
  const { defaultQuotaBytes } = settings;
  return defaultQuotaBytes === undefined ? [] : [{ type: "Reject", fromBytes: defaultQuotaBytes }];
}

/** What limits say to so many bytes: of those that are reached, the highest decides. */
export function severityOf(limits: readonly UsageLimit[], sizeBytes: number): UsageLimit["type"] | undefined {
  const reached = limits.filter(({ fromBytes }) => sizeBytes >= fromBytes);
  const highest = Math.max(...reached.map(({ fromBytes }) => fromBytes));
  const deciding = reached.filter(({ fromBytes }) => fromBytes === highest).map(({ type }) => type);
  return deciding.includes("Reject") ? "Reject" : deciding[0];
}

/** What a change of usage led to. */
export interface UsageChange {
  readonly sizeBytes: number;
  readonly grownBytes: number;
}

/**
 * Counts the blobs of a new image manifest for its namespace. Belongs into the transaction that makes the manifest; others
 * that count for the namespace wait for its end.
 */
export async function addUsage(db: RegistryDb, namespaceId: string, digests: readonly string[]): Promise<UsageChange> {
  const before = await lockUsage(db, namespaceId);
  let grownBytes = 0;
  for (const some of inChunks([...new Set(digests)].sort())) {
    const rows = await db
      .insertInto("namespace_blob")
      .columns(["namespace_id", "digest", "size_bytes", "manifests"])
      .expression((from) =>
        from
          .selectFrom("blob")
          .select([sql.val(namespaceId).as("namespace_id"), "digest", "size_bytes", sql.lit(1).as("manifests")])
          .where("digest", "in", some),
      )
      .onConflict((conflict) =>
        conflict
          .columns(["namespace_id", "digest"])
          .doUpdateSet((eb) => ({ manifests: eb("namespace_blob.manifests", "+", 1) })),
      )
      .returning(["size_bytes", "manifests"])
      .execute();
    grownBytes += sum(rows.filter(({ manifests }) => manifests === 1));
  }
  return setUsage(db, namespaceId, { before, grownBytes });
}

/** Takes the blobs of an image manifest that goes from its namespace's count. Belongs into the same transaction. */
export async function subtractUsage(
  db: RegistryDb,
  namespaceId: string,
  digests: readonly string[],
): Promise<UsageChange> {
  const before = await lockUsage(db, namespaceId);
  let goneBytes = 0;
  for (const some of inChunks([...new Set(digests)].sort())) {
    const counted = db
      .updateTable("namespace_blob")
      .where("namespace_id", "=", namespaceId)
      .where("digest", "in", some);
    await counted.set((eb) => ({ manifests: eb("manifests", "-", 1) })).execute();
    const gone = await db
      .deleteFrom("namespace_blob")
      .where("namespace_id", "=", namespaceId)
      .where("digest", "in", some)
      .where("manifests", "<=", 0)
      .returning("size_bytes")
      .execute();
    goneBytes += sum(gone);
  }
  return setUsage(db, namespaceId, { before, grownBytes: -goneBytes });
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

async function setUsage(
  db: RegistryDb,
  namespaceId: string,
  { before, grownBytes }: { readonly before: number; readonly grownBytes: number },
): Promise<UsageChange> {
  const sizeBytes = before + grownBytes;
  if (grownBytes !== 0) {
    await db
      .updateTable("namespace_usage")
      .set({ size_bytes: sizeBytes })
      .where("namespace_id", "=", namespaceId)
      .execute();
  }
  return { sizeBytes, grownBytes };
}

function sum(rows: readonly { readonly size_bytes: number }[]): number {
  return rows.reduce((bytes, { size_bytes }) => bytes + size_bytes, 0);
}
