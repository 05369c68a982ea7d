import type { RegistrySettings } from "../settings.ts";
import { findQuota } from "../store/quotas.ts";
import type { RegistryDb } from "../store/tables/all.ts";

/** Bytes from which on a namespace is warned or refused. */
export interface UsageLimit {
  readonly type: "Warning" | "Reject";
  readonly fromBytes: number;
}

/** The settings that have a part in what a namespace may use. */
export type QuotaSettings = Pick<RegistrySettings, "features" | "defaultQuotaBytes">;

/** The limits of a namespace: of its quota, or of the registry's where it has none. */
export async function findUsageLimits(
  db: RegistryDb,
  { features, defaultQuotaBytes }: QuotaSettings,
  namespaceId: string,
): Promise<readonly UsageLimit[]> {
  if (!features.quotas) return [];
  const quota = await findQuota(db, namespaceId);
  if (quota !== undefined) {
    return quota.limits.map(({ type, limit_percent }) => ({
      type,
      fromBytes: Math.floor((quota.limit_bytes * limit_percent) / 100),
    }));
  }
  return defaultQuotaBytes === undefined ? [] : [{ type: "Reject", fromBytes: defaultQuotaBytes }];
}

/** What limits say to so many bytes: of those that are reached, the highest decides. */
export function severityOf(limits: readonly UsageLimit[], sizeBytes: number): UsageLimit["type"] | undefined {
  const reached = limits.filter(({ fromBytes }) => sizeBytes >= fromBytes);
  const highest = Math.max(...reached.map(({ fromBytes }) => fromBytes));
  const deciding = reached.filter(({ fromBytes }) => fromBytes === highest).map(({ type }) => type);
  return deciding.includes("Reject") ? "Reject" : deciding[0];
}
