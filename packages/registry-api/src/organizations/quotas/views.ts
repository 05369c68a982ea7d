import type { CallContext } from "@plimsoll/registry/context";
import {
  findQuota,
  findQuotas,
  type NamespaceQuota,
  type QuotaRow,
} from "@plimsoll/registry/organizations/quotas/queries/quotas";
import { findNamespaceUsage } from "@plimsoll/registry/organizations/quotas/queries/usage";
import { formatBytes } from "@plimsoll/registry/values/sizes";
import { type Static, Type } from "typebox";

/** A limit of a quota. */
export const QuotaLimit = Type.Object({
  id: Type.Integer(),
  type: Type.Enum(["Warning", "Reject"]),
  threshold_percent: Type.Integer({ description: "Percent of the quota" }),
  limit_percent: Type.Integer({ description: "The same as threshold_percent" }),
});

/** The quota of a namespace. */
export const Quota = Type.Object({
  id: Type.Integer(),
  limit_bytes: Type.Integer(),
  limit: Type.String({ description: "The bytes for people" }),
  default_config: Type.Boolean({ description: "Whether this is the registry's default and not the namespace's own" }),
  default_config_exists: Type.Boolean(),
  limits: Type.Array(QuotaLimit),
});
export type Quota = Static<typeof Quota>;

/** Members for used bytes and the quota. */
export const quotaReportMembers = {
  quota_bytes: Type.Integer({ description: "Bytes in use, each blob counted once" }),
  metadata_bytes: Type.Optional(
    Type.Integer({
      description: "Bytes of manifests and labels. Those above 1 MiB count for the quota, in addition to quota_bytes",
    }),
  ),
  configured_quota: Type.Union([Type.Integer(), Type.Null()], {
    description: "The quota of the namespace; null: no quota",
  }),
};

/** Members for quota and usage in the view of a namespace. */
export const quotaMembers = {
  quotas: Type.Optional(
    Type.Array(Type.Object({ id: Type.Integer(), limit_bytes: Type.Integer(), limits: Type.Array(QuotaLimit) })),
  ),
  quota_report: Type.Optional(
    Type.Object({
      ...quotaReportMembers,
      running_backfill: Type.String(),
      backfill_status: Type.String({ description: "Always complete: usage is counted with each change" }),
    }),
  ),
};
const QuotaSummary = Type.Object(quotaMembers);
/** See {@link quotaMembers}; empty if quotas are off. */
export type QuotaSummary = Static<typeof QuotaSummary>;

/** A quota as clients see it. */
export function quotaView({ id, limit_bytes, limits }: QuotaRow, defaultBytes: number | undefined): Quota {
  return {
    id,
    limit_bytes,
    limit: formatBytes(limit_bytes),
    default_config: false,
    default_config_exists: defaultBytes !== undefined,
    limits: [...limits],
  };
}

/** The quota and the usage of a namespace; empty if quotas are off. */
export async function summarizeQuota(
  { db, settings }: Pick<CallContext, "db" | "settings">,
  namespaceId: string,
): Promise<QuotaSummary> {
  if (!settings.features.quotas) return {};
  const quota = await findQuota(db, namespaceId);
  return summaryOf({ quota, usage: await findNamespaceUsage(db, namespaceId) }, settings);
}

/** As {@link summarizeQuota} for many namespaces. @returns a function from the id of a namespace */
export async function summarizeQuotas(
  { db, settings }: Pick<CallContext, "db" | "settings">,
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
  { defaultQuotaBytes }: CallContext["settings"],
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
