import type { RegistrySettings } from "../settings.ts";
import type { RegistryDb } from "../store/tables/all.ts";
import { findQuota } from "./queries/quotas.ts";
import type { QuotaRow } from "./views.ts";

/** Bytes from which on a namespace is warned or refused. */
export interface UsageLimit {
  readonly type: "Warning" | "Reject";
  readonly fromBytes: number;
}

/** The settings that have a part in what a namespace may use. */
export type QuotaSettings = Pick<RegistrySettings, "features" | "defaultQuotaBytes">;

/** The error for work that would take more bytes than a namespace may use. */
export class QuotaExceeded extends Error {
  override readonly name = "QuotaExceeded";

  constructor() {
    super("Quota has been exceeded on namespace");
  }
}

/** @throws QuotaExceeded */
export function checkQuota(limits: readonly UsageLimit[], sizeBytes: number): void {
  if (severityOf(limits, sizeBytes) === "Reject") throw new QuotaExceeded();
}

/**
 * The limits of a namespace: of its quota, or of the registry's where it has none. A quota without limits is reported and refuses
 * nothing, as long as the registry has no default: where it has one, to give a namespace another number of bytes does not mean
 * to give it no limit.
 */
export function usageLimitsOf(
  { features, defaultQuotaBytes }: QuotaSettings,
  quota: QuotaRow | undefined,
): readonly UsageLimit[] {
  if (!features.quotas) return [];
  if (quota !== undefined && quota.limits.length === 0 && defaultQuotaBytes !== undefined) {
    return [{ type: "Reject", fromBytes: quota.limit_bytes }];
  }
  if (quota !== undefined) {
    return quota.limits.map(({ type, limit_percent }) => ({
      type,
      fromBytes: Math.floor((quota.limit_bytes * limit_percent) / 100),
    }));
  }
  return defaultQuotaBytes === undefined ? [] : [{ type: "Reject", fromBytes: defaultQuotaBytes }];
}

/** The limits of a namespace; see {@link usageLimitsOf}. */
export async function findUsageLimits(
  db: RegistryDb,
  settings: QuotaSettings,
  namespaceId: string,
): Promise<readonly UsageLimit[]> {
  return settings.features.quotas ? usageLimitsOf(settings, await findQuota(db, namespaceId)) : [];
}

/** What the limits decide for so many bytes: of those that are reached, the highest counts. */
export function severityOf(limits: readonly UsageLimit[], sizeBytes: number): UsageLimit["type"] | undefined {
  const reached = limits.filter(({ fromBytes }) => sizeBytes >= fromBytes);
  const highest = Math.max(...reached.map(({ fromBytes }) => fromBytes));
  const deciding = reached.filter(({ fromBytes }) => fromBytes === highest).map(({ type }) => type);
  return deciding.includes("Reject") ? "Reject" : deciding[0];
}
