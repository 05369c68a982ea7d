import type { OperationContext } from "../context.ts";
import { findQuota } from "../store/quotas.ts";
import type { QuotaSummary } from "../views/quota.ts";
import { namespaceUsage } from "./usage.ts";

/** What a namespace may use and uses; nothing where the registry has no quotas. */
export async function summarizeQuota(
  { db, settings }: Pick<OperationContext, "db" | "settings">,
  namespaceId: string,
): Promise<QuotaSummary> {
  if (!settings.features.quotas) return {};
  const quota = await findQuota(db, namespaceId);
  return {
    quotas: quota === undefined ? [] : [{ ...quota, limits: [...quota.limits] }],
    quota_report: {
      quota_bytes: await namespaceUsage(db, namespaceId),
      configured_quota: quota?.limit_bytes ?? settings.defaultQuotaBytes ?? null,
      running_backfill: "",
      backfill_status: "complete",
    },
  };
}
