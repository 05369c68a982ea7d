import { onNamedOrganizationAsSuperuser, onNamespace } from "@plimsoll/registry/access/as-superuser";
import { superusers } from "@plimsoll/registry/access/on-account";
import type { AccountRow } from "@plimsoll/registry/access/queries";
import { listAllAccounts } from "@plimsoll/registry/accounts/all-accounts";
import { takeOwnership } from "@plimsoll/registry/administration/install-users";
import { deleteNamespace } from "@plimsoll/registry/lifecycle/collection/deletions";
import { findParameters, orderParameter, totalOfList } from "@plimsoll/registry/lists/list-pages";
import { changeOrganization, renameOrganization } from "@plimsoll/registry/organizations/organizations";
import { Avatar, avatarOf } from "@plimsoll/registry/values/avatar";
import { type Static, Type } from "typebox";
import { AccountPageQuery, ClearableEmail, TagExpiration } from "../../accounts/views.ts";
import type { OperationContext } from "../../context.ts";
import { operation, withoutNull } from "../../operation.ts";
import { type QuotaSummary, quotaMembers, summarizeQuota, summarizeQuotas } from "../../organizations/quotas/views.ts";

/** An organization as superusers see it. */
const InstallOrganization = Type.Object({
  name: Type.String(),
  email: Type.Union([Type.String(), Type.Null()]),
  avatar: Avatar,
  invoice_email: Type.Boolean(),
  invoice_email_address: Type.Union([Type.String(), Type.Null()]),
  tag_expiration_s: Type.Integer(),
  ...quotaMembers,
});
type InstallOrganization = Static<typeof InstallOrganization>;

/** An organization as superusers see it. @param quota its quota and usage */
function installOrganizationView(organization: AccountRow, quota: QuotaSummary): InstallOrganization {
  const { username: name, email, invoice_email, invoice_email_address, tag_expiration_s } = organization;
  return {
    name,
    email,
    avatar: avatarOf("org", name, email),
    invoice_email: invoice_email === 1,
    invoice_email_address,
    tag_expiration_s,
    ...quota,
  };
}

const resource = { tag: "superuser", access: onNamedOrganizationAsSuperuser, freshLogin: true } as const;

const list = operation({
  ...resource,
  access: superusers,
  id: "listAllOrganizations",
  method: "GET",
  path: "/superuser/organizations/",
  summary: "The organizations of the registry.",
  internal: true,
  query: Type.Object({
    ...AccountPageQuery.properties,
    order: orderParameter(["name"], "as they were made"),
    ...findParameters,
  }),
  success: 200,
  result: Type.Object({
    organizations: Type.Array(InstallOrganization),
    next_page: Type.Optional(Type.String()),
    ...totalOfList,
  }),
  async handle({ query }, context) {
    const { rows, ...next } = await listAllAccounts(context, "organization", query);
    const quotaOf = await summarizeQuotas(context, rows);
    return { organizations: rows.map((row) => installOrganizationView(row, quotaOf(row.id))), ...next };
  },
});

const change = operation({
  ...resource,
  id: "changeOrganization",
  audit: [
    "org_change_email",
    "org_change_invoicing",
    "org_change_tag_expiration",
    "user_change_invoicing",
    "user_change_tag_expiration",
    "org_change_name",
  ],
  method: "PUT",
  path: "/superuser/organizations/{name}",
  summary: "Change an organization, its name included.",
  body: Type.Object({
    name: Type.Optional(Type.String({ maxLength: 255, description: "Another name" })),
    email: Type.Optional(ClearableEmail),
    invoice_email: Type.Optional(Type.Boolean()),
    invoice_email_address: Type.Optional(ClearableEmail),
    tag_expiration_s: Type.Optional(TagExpiration),
  }),
  success: 200,
  result: InstallOrganization,
  async handle({ subject: { organization, superuser }, body: { name, ...changes } }, context) {
    const log: typeof context.log = (kind, metadata) => context.log(kind, metadata, { namespaceId: organization.id });
    const changed = await changeOrganization({ ...context, log }, organization, withoutNull(changes, ""));
    if (name === undefined || name === organization.username) return show(changed, context);
    return show(await renameOrganization({ ...context, log }, changed, { name, superuser }), context);
  },
});

const remove = operation({
  ...resource,
  id: "deleteOrganization",
  audit: ["org_delete"],
  method: "DELETE",
  path: "/superuser/organizations/{name}",
  summary: "Delete an organization with all that it has.",
  success: 204,
  async handle({ subject: { organization } }, { db, clock, log }) {
    await log("org_delete", { namespace: organization.username }, { namespaceId: organization.id });
    await deleteNamespace(db, organization, clock);
  },
});

async function show(organization: AccountRow, context: OperationContext): Promise<InstallOrganization> {
  return installOrganizationView(organization, await summarizeQuota(context, organization.id));
}

/** Operations of superusers on organizations. */
export const superuserOrganizationOperations = [list, change, remove];

const take = operation({
  id: "takeOwnership",
  audit: ["take_ownership"],
  method: "POST",
  path: "/superuser/takeownership/{namespace}",
  summary: "Administer an organization, or a user as an organization.",
  tag: "superuser",
  internal: true,
  access: onNamespace,
  freshLogin: true,
  success: 200,
  result: Type.Object({ namespace: Type.String() }),
  async handle({ subject }, context) {
    await takeOwnership(context, subject);
    return { namespace: subject.namespace.username };
  },
});

/** Operations of superusers on namespaces of other accounts. */
export const superuserNamespaceOperations = [take];
