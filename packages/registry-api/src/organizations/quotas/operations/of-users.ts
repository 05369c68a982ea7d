import { onSelf } from "@plimsoll/registry/access/on-account";
import { getLimit, getQuota, listLimits, listQuotas } from "@plimsoll/registry/organizations/quotas/quotas";
import { operation } from "../../../operation.ts";
import { Quota, QuotaLimit } from "../views.ts";
import { QuotaLimits, Quotas, viewQuota } from "./schemas.ts";

const reading = {
  tag: "namespacequota",
  feature: "quotas",
  method: "GET",
  success: 200,
  access: onSelf(),
} as const;

/** The quotas of users, as they see them. */
export const userQuotaOperations = [
  operation({
    ...reading,
    id: "listUserQuota",
    path: "/user/quota",
    summary: "The user's quota, as a list of one or none.",
    result: Quotas,
    handle: async ({ subject }, context) =>
      (await listQuotas(context, subject.account)).map((quota) => viewQuota(quota, context)),
  }),
  operation({
    ...reading,
    id: "getUserQuota",
    path: "/user/quota/{quota_id}",
    summary: "One quota of the user.",
    result: Quota,
    handle: async ({ subject, params }, context) =>
      viewQuota(await getQuota(context, subject.account, params.quota_id), context),
  }),
  operation({
    ...reading,
    id: "listUserQuotaLimit",
    path: "/user/quota/{quota_id}/limit",
    summary: "At which parts of the quota the user is warned or refused.",
    result: QuotaLimits,
    handle: ({ subject, params }, context) => listLimits(context, subject.account, params.quota_id),
  }),
  operation({
    ...reading,
    id: "getUserQuotaLimit",
    path: "/user/quota/{quota_id}/limit/{limit_id}",
    summary: "One limit of the user's quota.",
    result: QuotaLimit,
    handle: ({ subject, params: { quota_id = "", limit_id = "" } }, context) =>
      getLimit(context, { namespace: subject.account, quotaId: quota_id, limitId: limit_id }),
  }),
];
