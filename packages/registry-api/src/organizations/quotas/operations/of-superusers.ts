import { type NamespaceSubject, onNamespace } from "@plimsoll/registry/access/as-superuser";
import { changeQuota, createQuota, deleteQuota, listQuotas } from "@plimsoll/registry/organizations/quotas/quotas";
import { Type } from "typebox";
import type { OperationContext } from "../../../context.ts";
import { type OperationInput, operation } from "../../../operation.ts";
import { Quota } from "../views.ts";
import { Created, DefaultedLimitBytes, NewQuota, QuotaChange, Quotas, unsetQuotaBytes, viewQuota } from "./quotas.ts";

const resource = { tag: "superuser", feature: "quotas", access: onNamespace } as const;
const guarded = { ...resource, freshLogin: true } as const;

async function list({ subject }: OperationInput<NamespaceSubject>, context: OperationContext) {
  return (await listQuotas(context, subject.namespace)).map((quota) => viewQuota(quota, context));
}

type OfQuota = { readonly quota_id: string };

type Change = OperationInput<NamespaceSubject, unknown, QuotaChange, OfQuota>;

async function change({ subject, params, body }: Change, context: OperationContext<"org_change_quota">) {
  const wanted = { quotaId: params.quota_id, limitBytes: body.limit_bytes };
  return viewQuota(await changeQuota(context, subject.namespace, wanted), context);
}

function remove(
  { subject, params }: OperationInput<NamespaceSubject, unknown, unknown, OfQuota>,
  context: OperationContext<"org_delete_quota">,
) {
  return deleteQuota(context, subject.namespace, params.quota_id);
}

const listUserQuotaSuperUser = operation({
  ...guarded,
  id: "listUserQuotaSuperUser",
  versionMembers: ["id", "limit_bytes"],
  method: "GET",
  path: "/superuser/organization/{namespace}/quota",
  summary: "The quota of a namespace, as a list of one or none.",
  success: 200,
  result: Quotas,
  handle: list,
});

const listOrganizationQuotaSuperUser = operation({
  ...guarded,
  id: "listOrganizationQuotaSuperUser",
  versionMembers: ["id", "limit_bytes"],
  method: "GET",
  path: "/superuser/users/{namespace}/quota",
  summary: "The quota of a namespace, as a list of one or none.",
  success: 200,
  result: Quotas,
  handle: list,
});

/** Both paths accept users and organizations, although the names of the operations, which the contract gives, say otherwise. */
export const superuserQuotaOperations = [
  operation({
    ...guarded,
    id: "changeUserQuotaSuperUser",
    version: listUserQuotaSuperUser,
    audit: ["org_change_quota"],
    method: "PUT",
    path: "/superuser/organization/{namespace}/quota/{quota_id}",
    summary: "Change the quota of a namespace.",
    body: QuotaChange,
    success: 200,
    result: Quota,
    handle: change,
  }),
  operation({
    ...resource,
    id: "deleteUserQuotaSuperUser",
    version: listUserQuotaSuperUser,
    audit: ["org_delete_quota"],
    method: "DELETE",
    path: "/superuser/organization/{namespace}/quota/{quota_id}",
    summary: "Take the quota of a namespace away.",
    success: 204,
    handle: remove,
  }),
  operation({
    ...guarded,
    id: "createUserQuotaSuperUser",
    audit: ["org_create_quota"],
    method: "POST",
    path: "/superuser/organization/{namespace}/quota",
    summary: "Give a namespace a quota.",
    body: NewQuota,
    success: 201,
    result: Created,
    handle: ({ subject, body }, context) => createQuota(context, subject.namespace, body.limit_bytes),
  }),
  listUserQuotaSuperUser,
  operation({
    ...guarded,
    id: "changeOrganizationQuotaSuperUser",
    version: listOrganizationQuotaSuperUser,
    audit: ["org_change_quota"],
    method: "PUT",
    path: "/superuser/users/{namespace}/quota/{quota_id}",
    summary: "Change the quota of a namespace.",
    body: QuotaChange,
    success: 200,
    result: Quota,
    handle: change,
  }),
  operation({
    ...resource,
    id: "deleteOrganizationQuotaSuperUser",
    version: listOrganizationQuotaSuperUser,
    audit: ["org_delete_quota"],
    method: "DELETE",
    path: "/superuser/users/{namespace}/quota/{quota_id}",
    summary: "Take the quota of a namespace away.",
    success: 204,
    handle: remove,
  }),
  operation({
    ...guarded,
    id: "createOrganizationQuotaSuperUser",
    audit: ["org_create_quota"],
    method: "POST",
    path: "/superuser/users/{namespace}/quota",
    summary: "Give a namespace a quota.",
    body: Type.Object({ limit_bytes: Type.Optional(DefaultedLimitBytes) }),
    success: 201,
    result: Created,
    handle: ({ subject, body }, context) =>
      createQuota(
        context,
        subject.namespace,
        body.limit_bytes ?? context.settings.defaultQuotaBytes ?? unsetQuotaBytes,
      ),
  }),
  listOrganizationQuotaSuperUser,
];
