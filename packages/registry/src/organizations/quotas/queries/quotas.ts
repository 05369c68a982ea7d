import { compileOnce, type Parameter } from "@plimsoll/store";
import type { InferResult } from "kysely";
import { inChunks } from "../../../store/bounded-reads.ts";
import type { NewRow, RegistryDb, Row, RowChanges } from "../../../store/tables/all.ts";
import { type NamespaceUsage, usageOf } from "./usage.ts";

/** A limit of a quota, as it is stored. */
export interface QuotaLimit {
  readonly id: number;
  readonly type: "Warning" | "Reject";
  readonly threshold_percent: number;
  /** The same as `threshold_percent`. */
  readonly limit_percent: number;
}

/** A quota as it is stored, with its limits. */
export interface QuotaRow {
  readonly id: number;
  readonly limit_bytes: number;
  readonly limits: readonly QuotaLimit[];
}

/** The id of a quota in requests. */
export interface QuotaId {
  readonly quotaId: string;
}

/** The quota of a namespace with its limits. */
export async function findQuota(db: RegistryDb, namespaceId: string): Promise<QuotaRow | undefined> {
  return quotaOf(await findQuotaRows(db, { namespaceId }));
}

/** A row for each limit. */
const findQuotaRows = compileOnce((db: RegistryDb, parameter: Parameter<{ namespaceId: string }>) =>
  db
    .selectFrom("quota")
    .leftJoin("quota_limit", "quota_limit.quota_id", "quota.id")
    .select(["quota.id as quota_id", "quota.limit_bytes"])
    .select(["quota_limit.id as limit_id", "quota_limit.type", "quota_limit.threshold_percent"])
    .where("quota.namespace_id", "=", parameter("namespaceId"))
    .orderBy("quota_limit.threshold_percent")
    .orderBy("quota_limit.id"),
);

/** The limits of a quota, the lowest first. */
export async function findLimits(db: RegistryDb, quotaId: number): Promise<readonly QuotaLimit[]> {
  return db
    .selectFrom("quota_limit")
    .select(["id", "type", "threshold_percent", "threshold_percent as limit_percent"])
    .where("quota_id", "=", quotaId)
    .orderBy("threshold_percent")
    .orderBy("id")
    .execute();
}

/** The quota and the used bytes of a namespace. */
export interface NamespaceQuota {
  readonly quota?: QuotaRow;
  readonly usage: NamespaceUsage;
}

/** The quotas and used bytes of many namespaces, by namespace id. */
export async function findQuotas(
  db: RegistryDb,
  namespaceIds: readonly string[],
): Promise<ReadonlyMap<string, NamespaceQuota>> {
  const rows: QuotaPart[] = [];
  for (const ids of inChunks(namespaceIds)) rows.push(...(await quotaParts(db, ids).execute()));
  const byNamespace = Map.groupBy(rows, ({ namespace_id }) => namespace_id);
  return new Map([...byNamespace].map(([id, parts]) => [id, namespaceQuotaOf(parts)]));
}

type QuotaPart = InferResult<ReturnType<typeof quotaParts>>[number];

/** A row for each limit; for a namespace without any, one row. */
function quotaParts(db: RegistryDb, namespaceIds: readonly string[]) {
  return db
    .selectFrom("account")
    .leftJoin("namespace_usage", "namespace_usage.namespace_id", "account.id")
    .leftJoin("quota", "quota.namespace_id", "account.id")
    .leftJoin("quota_limit", "quota_limit.quota_id", "quota.id")
    .select([
      "account.id as namespace_id",
      "namespace_usage.size_bytes",
      "namespace_usage.metadata_bytes",
      "quota.id as quota_id",
      "quota.limit_bytes",
    ])
    .select(["quota_limit.id as limit_id", "quota_limit.type", "quota_limit.threshold_percent"])
    .where("account.id", "in", namespaceIds)
    .orderBy("quota_limit.threshold_percent")
    .orderBy("quota_limit.id");
}

function namespaceQuotaOf(parts: readonly QuotaPart[]): NamespaceQuota {
  const quota = quotaOf(parts);
  return { quota, usage: usageOf(parts) };
}

/** A row of a quota with one of its limits. Columns are null without a quota, or without a limit. */
interface QuotaColumns {
  readonly quota_id: number | null;
  readonly limit_bytes: number | null;
  readonly limit_id: number | null;
  readonly type: QuotaLimit["type"] | null;
  readonly threshold_percent: number | null;
}

/** Joins the rows of a quota, which have one limit each. */
export function quotaOf(rows: readonly QuotaColumns[]): QuotaRow | undefined {
  const { quota_id = null, limit_bytes = null } = rows[0] ?? {};
  if (quota_id === null || limit_bytes === null) return undefined;
  const limits = rows.flatMap(({ limit_id: id, type, threshold_percent }) =>
    id === null || type === null || threshold_percent === null
      ? []
      : [{ id, type, threshold_percent, limit_percent: threshold_percent }],
  );
  return { id: quota_id, limit_bytes, limits };
}

/** Stores the quota of a namespace. @returns false if it has one already */
export async function insertQuota(db: RegistryDb, namespaceId: string, limitBytes: number): Promise<boolean> {
  const inserted = await db
    .insertInto("quota")
    .values({ namespace_id: namespaceId, limit_bytes: limitBytes })
    .onConflict((conflict) => conflict.column("namespace_id").doNothing())
    .returning("id")
    .executeTakeFirst();
  return inserted !== undefined;
}

/** Changes the bytes of a quota. */
export async function updateQuota(db: RegistryDb, id: number, limitBytes: number): Promise<void> {
  await db.updateTable("quota").set({ limit_bytes: limitBytes }).where("id", "=", id).execute();
}

/** Deletes a quota, with its limits. */
export async function removeQuota(db: RegistryDb, id: number): Promise<void> {
  await db.deleteFrom("quota").where("id", "=", id).execute();
}

/** Stores a limit. @returns false if the quota has the same limit already */
export async function insertLimit(db: RegistryDb, limit: NewRow<"quota_limit">): Promise<boolean> {
  const inserted = await db
    .insertInto("quota_limit")
    .values(limit)
    .onConflict((conflict) => conflict.doNothing())
    .returning("id")
    .executeTakeFirst();
  return inserted !== undefined;
}

/** Changes a limit. Violates a unique constraint if the quota has the same limit already. */
export async function updateLimit(db: RegistryDb, id: number, values: RowChanges<"quota_limit">): Promise<void> {
  await db.updateTable("quota_limit").set(values).where("id", "=", id).execute();
}

/** Deletes a limit. */
export async function removeLimit(db: RegistryDb, id: number): Promise<void> {
  await db.deleteFrom("quota_limit").where("id", "=", id).execute();
}

/** Deletes the notices of limits that the used bytes no longer reach. */
export async function withdrawQuotaNotices(db: RegistryDb, namespaceId: string, sizeBytes: number): Promise<void> {
  await db
    .deleteFrom("user_notification")
    .where("about_id", "=", namespaceId)
    .where("from_bytes", ">", sizeBytes)
    .execute();
}

/** Stores warnings, except those that an account has already. @returns whether one is new */
export async function insertNotices(db: RegistryDb, notices: readonly NewRow<"user_notification">[]): Promise<boolean> {
  const stored = await db
    .insertInto("user_notification")
    .values(notices)
    .onConflict((conflict) => conflict.doNothing())
    .returning("id")
    .execute();
  return stored.length > 0;
}

/** Whether any account has a warning of a kind about a namespace. */
export async function hasNotices(
  db: RegistryDb,
  namespaceId: string,
  kind: Row<"user_notification">["kind"],
): Promise<boolean> {
  const notices = db.selectFrom("user_notification").select("id").where("about_id", "=", namespaceId);
  return (await notices.where("kind", "=", kind).limit(1).executeTakeFirst()) !== undefined;
}

/** Deletes the warnings of some kinds about a namespace. */
export async function deleteNotices(
  db: RegistryDb,
  namespaceId: string,
  some: readonly Row<"user_notification">["kind"][],
): Promise<void> {
  await db.deleteFrom("user_notification").where("about_id", "=", namespaceId).where("kind", "in", some).execute();
}
