import { compileOnce, type Parameter } from "@plimsoll/store";
import type { QuotaLimit, QuotaRow } from "../views/quota.ts";
import type { RegistryDb } from "./tables/all.ts";

/** Names a quota as clients do. */
export interface QuotaId {
  readonly quotaId: string;
}

/** The quota of a namespace with its limits. */
export async function findQuota(db: RegistryDb, namespaceId: string): Promise<QuotaRow | undefined> {
  const [quota] = await findQuotas(db, { namespaceId });
  return quota && { ...quota, limits: await findLimits(db, quota.id) };
}

const findQuotas = compileOnce((db: RegistryDb, parameter: Parameter<{ namespaceId: string }>) =>
  db.selectFrom("quota").select(["id", "limit_bytes"]).where("namespace_id", "=", parameter("namespaceId")),
);

/** The limits of a quota, the lowest first. */
export async function findLimits(db: RegistryDb, quotaId: number): Promise<readonly QuotaLimit[]> {
  return db
    .selectFrom("quota_limit")
    .select(["id", "type", "threshold_percent as limit_percent"])
    .where("quota_id", "=", quotaId)
    .orderBy("threshold_percent")
    .orderBy("id")
    .execute();
}
