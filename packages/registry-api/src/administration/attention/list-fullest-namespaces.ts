import { listNamespaces } from "@plimsoll/registry/administration/attention/queries";
import type { CallContext } from "@plimsoll/registry/context";
import { findQuotas, type NamespaceQuota } from "@plimsoll/registry/organizations/quotas/queries/quotas";
import { countedBytes } from "@plimsoll/registry/organizations/quotas/queries/usage";
import { severityOf, type UsageLimit, usageLimitsOf } from "@plimsoll/registry/organizations/quotas/usage-limits";
import { inChunks } from "@plimsoll/registry/store/bounded-reads";
import type { QuotaNearLimit } from "./views.ts";

/** A quota is nearly used up from this part on. */
const nearPart = 0.9;

/** The given namespaces whose quota is nearly used up, the fullest first. */
export async function listFullestNamespaces(
  { db, settings }: Pick<CallContext, "db" | "settings">,
  namespaceIds: readonly string[],
): Promise<readonly QuotaNearLimit[]> {
  const quotas = await findQuotas(db, namespaceIds);
  const near = [...quotas].flatMap(([id, quota]) => {
    const usage = usageOf(quota, { limits: usageLimitsOf(settings, quota.quota), settings });
    return usage === undefined ? [] : [{ id, ...usage }];
  });
  const names = new Map<string, Pick<QuotaNearLimit, "namespace" | "is_organization">>();
  for (const ids of inChunks(near.map(({ id }) => id))) {
    for (const { id, username, kind } of await listNamespaces(db, ids)) {
      names.set(id, { namespace: username, is_organization: kind === "organization" });
    }
  }
  return near
    .toSorted((one, other) => fullness(other) - fullness(one))
    .map(({ id, ...usage }) => ({ ...(names.get(id) ?? { namespace: "", is_organization: false }), ...usage }));
}

/** The usage of a namespace; undefined if enough is left, or there is no quota. */
function usageOf(
  { quota, usage }: NamespaceQuota,
  {
    limits,
    settings,
  }: {
    readonly limits: readonly UsageLimit[];
    readonly settings: Pick<CallContext["settings"], "defaultQuotaBytes">;
  },
): Omit<QuotaNearLimit, "namespace" | "is_organization"> | undefined {
  const limitBytes = quota?.limit_bytes ?? settings.defaultQuotaBytes;
  if (limitBytes === undefined) return undefined;
  const usedBytes = countedBytes(usage);
  const used = { used_bytes: usedBytes, limit_bytes: limitBytes };
  const reached = severityOf(limits, usedBytes);
  if (reached !== undefined) return { ...used, state: reached === "Reject" ? "refused" : "warned" };
  const refusedFrom = limits.filter(({ type }) => type === "Reject").map(({ fromBytes }) => fromBytes);
  return usedBytes >= nearPart * Math.min(limitBytes, ...refusedFrom) ? { ...used, state: "near" } : undefined;
}

function fullness({ used_bytes, limit_bytes }: Pick<QuotaNearLimit, "used_bytes" | "limit_bytes">): number {
  return used_bytes / Math.max(1, limit_bytes);
}
