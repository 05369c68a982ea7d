import type { RegistrySettings } from "../../settings.ts";
import type { RegistryDb } from "../../store/tables/all.ts";
import { findQuota, type QuotaRow } from "./queries/quotas.ts";

/** The number of bytes from which a namespace is warned or refused. */
export interface UsageLimit {
  readonly type: "Warning" | "Reject";
  readonly fromBytes: number;
}

/** The settings about quotas. */
export type QuotaSettings = Pick<RegistrySettings, "features" | "defaultQuotaBytes">;

/** What does not fit in a quota. */
export interface Excess {
  /** The usage of the namespace with what is refused, in bytes. */
  readonly sizeBytes: number;
  /** How many of them are refused; 0 if the quota has no room left at all. */
  readonly addedBytes: number;
}

const advice = "Delete tags (their images count until the tags cannot be restored any more), or ask for a larger quota";

/** Work would exceed the quota of a namespace. Who may push can find out all of the figures in the message by trying. */
export class QuotaExceeded extends Error {
  override readonly name = "QuotaExceeded";

  constructor(limitBytes: number, { sizeBytes, addedBytes }: Excess) {
    const usedBytes = sizeBytes - addedBytes;
    const added = addedBytes === 0 ? "" : `, and this would add ${addedBytes} bytes`;
    const figures = `it uses ${usedBytes} bytes of less than ${limitBytes} that are allowed${added}`;
    super(`Quota has been exceeded on namespace: ${figures}. ${advice}`);
  }
}

/** @throws QuotaExceeded */
export function checkQuota(limits: readonly UsageLimit[], excess: Excess): void {
  if (severityOf(limits, excess.sizeBytes) === "Reject") throw new QuotaExceeded(rejectedFrom(limits), excess);
}

/** The number of bytes from which a namespace is refused; infinite if it never is. */
export function rejectedFrom(limits: readonly UsageLimit[]): number {
  return Math.min(...limits.filter(({ type }) => type === "Reject").map(({ fromBytes }) => fromBytes));
}

/**
 * The limits of a namespace: those of its quota, or the default of the registry without a quota. A quota without limits refuses nothing,
 * unless the registry has a default: then all its bytes are the limit, since an individual quota must not remove the limit.
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

/** The type of the highest limit that a number of bytes reaches; undefined if it reaches none. */
export function severityOf(limits: readonly UsageLimit[], sizeBytes: number): UsageLimit["type"] | undefined {
  const reached = limits.filter(({ fromBytes }) => sizeBytes >= fromBytes);
  const highest = Math.max(...reached.map(({ fromBytes }) => fromBytes));
  const deciding = reached.filter(({ fromBytes }) => fromBytes === highest).map(({ type }) => type);
  return deciding.includes("Reject") ? "Reject" : deciding[0];
}
