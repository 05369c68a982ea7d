import { type Static, Type } from "typebox";
import { onOrganizationAsSuperuser } from "../access/as-superuser.ts";
import { operation } from "../operation.ts";
import { deleteNamespace } from "../rules/delete-namespace.ts";
import { changeOrganization } from "../rules/organizations.ts";
import { renameOrganization } from "../rules/rename-organization.ts";
import type { AccountRow } from "../store/accounts.ts";
import { Avatar, avatarOf } from "../views/avatar.ts";

const resource = { tag: "superuser", access: onOrganizationAsSuperuser } as const;

const ClearableEmail = Type.Union([Type.String({ maxLength: 254 }), Type.Null()], { description: "Null: none" });

/** An organization as superusers see it. */
const InstallOrganization = Type.Object({
  name: Type.String(),
  email: Type.Union([Type.String(), Type.Null()]),
  avatar: Avatar,
  invoice_email: Type.Boolean(),
  invoice_email_address: Type.Union([Type.String(), Type.Null()]),
  tag_expiration_s: Type.Integer(),
});

function view(organization: AccountRow): Static<typeof InstallOrganization> {
  const { username: name, email, invoice_email, invoice_email_address, tag_expiration_s } = organization;
  const avatar = avatarOf("org", name, email);
  return { name, email, avatar, invoice_email: invoice_email === 1, invoice_email_address, tag_expiration_s };
}

const change = operation({
  ...resource,
  id: "changeOrganization",
  method: "PUT",
  path: "/superuser/organizations/{name}",
  summary: "Change an organization, its name included.",
  body: Type.Object({
    name: Type.Optional(Type.String({ maxLength: 255, description: "Another name" })),
    email: Type.Optional(ClearableEmail),
    invoice_email: Type.Optional(Type.Boolean()),
    invoice_email_address: Type.Optional(ClearableEmail),
    tag_expiration_s: Type.Optional(Type.Integer({ minimum: 0, description: "Seconds" })),
  }),
  freshLogin: true,
  success: 200,
  result: InstallOrganization,
  async handle({ subject: { organization, superuser }, body: { name, ...changes } }, context) {
    const log: typeof context.log = (kind, metadata) => context.log(kind, metadata, { namespaceId: organization.id });
    const changed = await changeOrganization({ ...context, log }, organization, changes);
    if (name === undefined || name === organization.username) return view(changed);
    return view(await renameOrganization({ ...context, log }, changed, { name, superuser }));
  },
});

const remove = operation({
  ...resource,
  id: "deleteOrganization",
  method: "DELETE",
  path: "/superuser/organizations/{name}",
  summary: "Delete an organization with all that it has.",
  freshLogin: true,
  success: 204,
  async handle({ subject: { organization } }, { db, ports, log }) {
    await log("org_delete", { namespace: organization.username }, { namespaceId: organization.id });
    await deleteNamespace(db, organization, ports.clock);
  },
});

/** Organizations, for superusers. */
export const superuserOrganizationOperations = [change, remove];
