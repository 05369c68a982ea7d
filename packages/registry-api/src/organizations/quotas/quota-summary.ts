import type { CallContext } from "@plimsoll/registry/context";
import { findQuota, findQuotas, type NamespaceQuota } from "@plimsoll/registry/organizations/quotas/queries/quotas";
import { findNamespaceUsage } from "@plimsoll/registry/organizations/quotas/queries/usage";
import type { QuotaSummary } from "./views.ts";

type SummaryContext = Pick<CallContext, "db" | "settings">;

/** The quota and the usage of a namespace; empty if quotas are off. */
export async function summarizeQuota({ db, settings }: SummaryContext, namespaceId: string): Promise<QuotaSummary> {
  if (!settings.features.quotas) return {};
  const quota = await findQuota(db, namespaceId);
  return summaryOf({ quota, usage: await findNamespaceUsage(db, namespaceId) }, settings);
}

/** As {@link summarizeQuota} for many namespaces. @returns a function from the id of a namespace */
export async function summarizeQuotas(
  { db, settings }: SummaryContext,
  namespaces: readonly { readonly id: string }[],
): Promise<(namespaceId: string) => QuotaSummary> {
  if (!settings.features.quotas) return () => ({});
  const found = await findQuotas(
    db,
    namespaces.map(({ id }) => id),
  );
  return (id) => summaryOf(found.get(id) ?? { usage: { blobBytes: 0, metadataBytes: 0 } }, settings);
}

function summaryOf(
  { quota, usage: { blobBytes, metadataBytes } }: NamespaceQuota,
  { defaultQuotaBytes }: SummaryContext["settings"],
): QuotaSummary {
  return {
    quotas: quota === undefined ? [] : [{ ...quota, limits: [...quota.limits] }],
    quota_report: {
      quota_bytes: blobBytes,
      metadata_bytes: metadataBytes,
      configured_quota: quota?.limit_bytes ?? defaultQuotaBytes ?? null,
      running_backfill: "",
      backfill_status: "complete",
    },
  };
}
