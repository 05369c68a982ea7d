import type { PathParams } from "@plimsoll/http";
import { onNamespaceAsOrganization, onOrganizationAsSuperuser } from "@plimsoll/registry/access/as-superuser";
import { onSelf } from "@plimsoll/registry/access/on-account";
import { onOrganization } from "@plimsoll/registry/access/on-organization";
import type { AccountRow } from "@plimsoll/registry/access/queries";
import type { QuotaRow, QuotaLimit as StoredLimit } from "@plimsoll/registry/organizations/quotas/queries/quotas";
import {
  changeLimit,
  changeQuota,
  createLimit,
  createQuota,
  deleteLimit,
  deleteQuota,
  getLimit,
  getQuota,
  listLimits,
  listQuotas,
} from "@plimsoll/registry/organizations/quotas/quotas";
import { type Static, Type } from "typebox";
import type { OperationContext } from "../../../context.ts";
import { operation } from "../../../operation.ts";
import { Quota, QuotaLimit, quotaView } from "../views.ts";

const limitBytes = Type.Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER });

/** The bytes of a quota that is created without a number in a registry without a default. */
export const unsetQuotaBytes = 10 * 1024 ** 3;

/** The bytes of a quota, optional in requests. */
export const DefaultedLimitBytes = Type.Integer({
  ...limitBytes,
  description: "Where absent: the registry's default for namespaces, or 10 GiB where it has none",
});

/** Clients write the first letter as a capital or not. */
const type = Type.Enum(["Warning", "Reject", "warning", "reject"]);
const percent = Type.Integer({ minimum: 1, maximum: 100, description: "Percent of the quota" });

/** The parts of requests and responses about quotas, for all namespaces. */
export const NewQuota = Type.Object({ limit_bytes: limitBytes });
export const QuotaChange = Type.Object({ limit_bytes: Type.Optional(limitBytes) });
export type QuotaChange = Static<typeof QuotaChange>;
const NewQuotaLimit = Type.Object({ type, threshold_percent: percent });
const QuotaLimitChange = Type.Object({
  type: Type.Optional(type),
  threshold_percent: Type.Optional(percent),
});
export const Quotas = Type.Array(Quota);
const QuotaLimits = Type.Array(QuotaLimit);
export const Created = Type.Literal("Created");

/** A quota as clients see it. */
export function viewQuota(quota: QuotaRow, { settings }: OperationContext): Quota {
  return quotaView(quota, settings.defaultQuotaBytes);
}

/** The type of a limit in either spelling. */
function limitTypeOf(type: "Warning" | "Reject" | "warning" | "reject"): StoredLimit["type"] {
  return type.toLowerCase() === "reject" ? "Reject" : "Warning";
}

const organizationReading = {
  tag: "namespacequota",
  feature: "quotas",
  method: "GET",
  success: 200,
  access: onOrganization("member", { scope: undefined }),
} as const;
const writing = { tag: "namespacequota", feature: "quotas", access: onOrganizationAsSuperuser } as const;

/** The limits of users are set by the same operations, since there are no others. */
const limiting = { ...writing, access: onNamespaceAsOrganization } as const;

const quotasPath = "/organization/{orgname}/quota";
const quotaPath = "/organization/{orgname}/quota/{quota_id}";
const limitsPath = "/organization/{orgname}/quota/{quota_id}/limit";
const limitPath = "/organization/{orgname}/quota/{quota_id}/limit/{limit_id}";

const getOrganizationQuota = operation({
  ...organizationReading,
  id: "getOrganizationQuota",
  versionMembers: ["limit_bytes"],
  path: quotaPath,
  summary: "One quota of an organization.",
  result: Quota,
  handle: async ({ subject, params }, context) =>
    viewQuota(await getQuota(context, subject.organization, params.quota_id), context),
});

const getOrganizationQuotaLimit = operation({
  ...organizationReading,
  id: "getOrganizationQuotaLimit",
  versionMembers: ["type", "threshold_percent"],
  path: limitPath,
  summary: "One limit of an organization's quota.",
  result: QuotaLimit,
  handle: ({ subject, params }, context) => getLimit(context, limitPlace(subject.organization, params)),
});

/** The quotas of organizations: members see them, superusers set them. */
export const organizationQuotaOperations = [
  operation({
    ...organizationReading,
    id: "listOrganizationQuota",
    path: quotasPath,
    summary: "The quota of an organization, as a list of one or none.",
    result: Quotas,
    handle: async ({ subject }, context) =>
      (await listQuotas(context, subject.organization)).map((quota) => viewQuota(quota, context)),
  }),
  operation({
    ...writing,
    id: "createOrganizationQuota",
    audit: ["org_create_quota"],
    method: "POST",
    path: quotasPath,
    summary: "Give an organization a quota.",
    body: NewQuota,
    success: 201,
    result: Created,
    handle: ({ subject, body }, context) => createQuota(context, subject.organization, body.limit_bytes),
  }),
  getOrganizationQuota,
  operation({
    ...writing,
    id: "changeOrganizationQuota",
    version: getOrganizationQuota,
    audit: ["org_change_quota"],
    method: "PUT",
    path: quotaPath,
    summary: "Change how many bytes an organization may use.",
    body: QuotaChange,
    success: 200,
    result: Quota,
    handle: async ({ subject, params, body }, context) => {
      const change = { quotaId: params.quota_id, limitBytes: body.limit_bytes };
      return viewQuota(await changeQuota(context, subject.organization, change), context);
    },
  }),
  operation({
    ...writing,
    id: "deleteOrganizationQuota",
    version: getOrganizationQuota,
    audit: ["org_delete_quota"],
    method: "DELETE",
    path: quotaPath,
    summary: "Take an organization's quota away.",
    success: 204,
    handle: ({ subject, params }, context) => deleteQuota(context, subject.organization, params.quota_id),
  }),
  operation({
    ...organizationReading,
    id: "listOrganizationQuotaLimit",
    path: limitsPath,
    summary: "At which parts of its quota an organization is warned or refused.",
    result: QuotaLimits,
    handle: ({ subject, params }, context) => listLimits(context, subject.organization, params.quota_id),
  }),
  operation({
    ...limiting,
    id: "createOrganizationQuotaLimit",
    audit: ["org_create_quota_limit"],
    method: "POST",
    path: limitsPath,
    summary: "Warn or refuse an organization, or a user, at a part of its quota.",
    body: NewQuotaLimit,
    success: 201,
    result: Created,
    handle: ({ subject, params, body: { type, threshold_percent } }, context) =>
      createLimit(
        context,
        { namespace: subject.namespace, quotaId: params.quota_id },
        { type: limitTypeOf(type), threshold_percent },
      ),
  }),
  getOrganizationQuotaLimit,
  operation({
    ...limiting,
    id: "changeOrganizationQuotaLimit",
    version: getOrganizationQuotaLimit,
    audit: ["org_change_quota_limit"],
    method: "PUT",
    path: limitPath,
    summary: "Change a limit of the quota of an organization or a user.",
    body: QuotaLimitChange,
    success: 200,
    result: Quota,
    handle: async ({ subject, params, body: { type, threshold_percent } }, context) => {
      const change = { type: type && limitTypeOf(type), threshold_percent: threshold_percent || undefined };
      return viewQuota(await changeLimit(context, limitPlace(subject.namespace, params), change), context);
    },
  }),
  operation({
    ...limiting,
    id: "deleteOrganizationQuotaLimit",
    version: getOrganizationQuotaLimit,
    audit: ["org_delete_quota_limit"],
    method: "DELETE",
    path: limitPath,
    summary: "Remove a limit of the quota of an organization or a user.",
    success: 204,
    handle: ({ subject, params }, context) => deleteLimit(context, limitPlace(subject.namespace, params)),
  }),
];

function limitPlace(namespace: AccountRow, params: PathParams<typeof limitPath>) {
  return { namespace, quotaId: params.quota_id, limitId: params.limit_id };
}

const userReading = {
  tag: "namespacequota",
  feature: "quotas",
  method: "GET",
  success: 200,
  access: onSelf(),
} as const;

/** The quotas of users, as they see them. */
export const userQuotaOperations = [
  operation({
    ...userReading,
    id: "listUserQuota",
    path: "/user/quota",
    summary: "The user's quota, as a list of one or none.",
    result: Quotas,
    handle: async ({ subject }, context) =>
      (await listQuotas(context, subject.account)).map((quota) => viewQuota(quota, context)),
  }),
  operation({
    ...userReading,
    id: "getUserQuota",
    path: "/user/quota/{quota_id}",
    summary: "One quota of the user.",
    result: Quota,
    handle: async ({ subject, params }, context) =>
      viewQuota(await getQuota(context, subject.account, params.quota_id), context),
  }),
  operation({
    ...userReading,
    id: "listUserQuotaLimit",
    path: "/user/quota/{quota_id}/limit",
    summary: "At which parts of the quota the user is warned or refused.",
    result: QuotaLimits,
    handle: ({ subject, params }, context) => listLimits(context, subject.account, params.quota_id),
  }),
  operation({
    ...userReading,
    id: "getUserQuotaLimit",
    path: "/user/quota/{quota_id}/limit/{limit_id}",
    summary: "One limit of the user's quota.",
    result: QuotaLimit,
    handle: ({ subject, params: { quota_id = "", limit_id = "" } }, context) =>
      getLimit(context, { namespace: subject.account, quotaId: quota_id, limitId: limit_id }),
  }),
];
