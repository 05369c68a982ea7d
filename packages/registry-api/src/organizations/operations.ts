import { onSelf } from "@plimsoll/registry/access/on-account";
import { onOrganization } from "@plimsoll/registry/access/on-organization";
import type { AccountRow } from "@plimsoll/registry/access/queries";
import { type OrganizationViewer, seeOrganization, viewerOf } from "@plimsoll/registry/access/see-organization";
import { deleteNamespace } from "@plimsoll/registry/lifecycle/collection/deletions";
import { ListPageQuery, nextPage } from "@plimsoll/registry/lists/list-pages";
import { getMember, listCollaborators, listMembers, removeMember } from "@plimsoll/registry/organizations/members";
import { changeOrganization, createOrganization } from "@plimsoll/registry/organizations/organizations";
import { listTeams } from "@plimsoll/registry/organizations/teams/queries/teams";
import { Type } from "typebox";
import { ClearableEmail, Email, TagExpiration } from "../accounts/views.ts";
import type { OperationContext } from "../context.ts";
import { operation, withoutNull } from "../operation.ts";
import { summarizeQuota } from "./quotas/views.ts";
import {
  Collaborator,
  collaboratorView,
  Organization,
  OrganizationMember,
  organizationMemberView,
  organizationView,
} from "./views.ts";

const tag = "organization";

const create = operation({
  id: "createOrganization",
  audit: ["org_create"],
  method: "POST",
  path: "/organization/",
  summary: "Make an organization with a team of owners, and the caller in it.",
  tag,
  access: onSelf("user:admin"),
  body: Type.Object({
    name: Type.String({ maxLength: 511, description: "Unique among users and organizations" }),
    email: Type.Optional(Email),
    contact_email: Type.Optional(Type.String({ maxLength: 254, description: "Counts instead of `email`" })),
    recaptcha_response: Type.Optional(Type.String({ maxLength: 10_000, description: "Not looked at" })),
  }),
  success: 201,
  result: Type.Literal("Created"),
  async handle({ subject, body }, context) {
    const { name } = body;
    const email = body.contact_email ?? body.email;
    const organization = await createOrganization(context, { name, email, creator: subject.account });
    await context.log("org_create", { email, namespace: name }, { namespaceId: organization.id });
    return "Created" as const;
  },
});

async function show(context: OperationContext, organization: AccountRow, viewer: OrganizationViewer) {
  if (!viewer.isMember) return organizationView(organization, viewer);
  const teams = await listTeams(context.db, organization.id, viewer.accountId);
  return organizationView(organization, viewer, { teams, quota: await summarizeQuota(context, organization.id) });
}

const getOrganization = operation({
  id: "getOrganization",
  versionMembers: ["email", "invoice_email", "invoice_email_address", "tag_expiration_s"],
  method: "GET",
  path: "/organization/{orgname}",
  summary: "An organization: its teams for members, its settings for admins.",
  tag,
  access: seeOrganization,
  success: 200,
  result: Organization,
  handle: ({ subject: { organization, viewer } }, context) => show(context, organization, viewer),
});

const change = operation({
  id: "changeOrganizationDetails",
  version: getOrganization,
  audit: [
    "org_change_email",
    "org_change_invoicing",
    "org_change_tag_expiration",
    "user_change_invoicing",
    "user_change_tag_expiration",
  ],
  method: "PUT",
  path: "/organization/{orgname}",
  summary: "Change settings of an organization.",
  tag,
  access: onOrganization("admin"),
  body: Type.Object({
    email: Type.Optional(ClearableEmail),
    contact_email: Type.Optional(ClearableEmail),
    invoice_email: Type.Optional(Type.Boolean({ description: "Whether invoices are sent by e-mail" })),
    invoice_email_address: Type.Optional(ClearableEmail),
    tag_expiration_s: Type.Optional(TagExpiration),
  }),
  success: 200,
  result: Organization,
  async handle({ subject, body }, context) {
    const { contact_email, ...changes } = withoutNull(body, "");
    const email = contact_email ?? changes.email;
    const organization = await changeOrganization(context, subject.organization, { ...changes, email });
    const viewer = await viewerOf(context, organization.id);
    return show(context, organization, viewer);
  },
});

const removeOrganization = operation({
  id: "deleteAdminedOrganization",
  version: getOrganization,
  audit: ["org_delete"],
  method: "DELETE",
  path: "/organization/{orgname}",
  summary: "Delete an organization with all that it owns.",
  tag,
  access: onOrganization("admin"),
  freshLogin: true,
  success: 204,
  async handle({ subject: { organization } }, { db, clock, log }) {
    await log("org_delete", { namespace: organization.username });
    await deleteNamespace(db, organization, clock);
  },
});

/** Operations on organizations. */
export const organizationOperations = [create, getOrganization, change, removeOrganization];

const shared = { tag: "organization", access: onOrganization("admin") } as const;

const collaborators = operation({
  ...shared,
  id: "getOrganizationCollaborators",
  method: "GET",
  path: "/organization/{orgname}/collaborators",
  summary: "Users with roles on repositories of the organization who are not in one of its teams.",
  query: ListPageQuery,
  success: 200,
  result: Type.Object({ collaborators: Type.Array(Collaborator), ...nextPage }),
  async handle({ subject, query }, context) {
    const { rows, ...next } = await listCollaborators(context, subject.organization, query);
    return { collaborators: rows.map(collaboratorView), ...next };
  },
});

const list = operation({
  ...shared,
  id: "getOrganizationMembers",
  method: "GET",
  path: "/organization/{orgname}/members",
  summary: "The users in teams of the organization.",
  query: ListPageQuery,
  success: 200,
  result: Type.Object({ members: Type.Array(OrganizationMember), ...nextPage }),
  async handle({ subject, query }, context) {
    const { rows, ...next } = await listMembers(context, subject.organization, query);
    return { members: rows.map(organizationMemberView), ...next };
  },
});

const getOneMember = operation({
  ...shared,
  id: "getOrganizationMember",
  versionMembers: ["teams", "repositories"],
  method: "GET",
  path: "/organization/{orgname}/members/{membername}",
  summary: "One member of the organization: a user in a team, or a robot.",
  success: 200,
  result: OrganizationMember,
  async handle({ subject, params }, { db }) {
    return organizationMemberView(await getMember(db, subject.organization, params.membername));
  },
});

const removeOneMember = operation({
  ...shared,
  id: "removeOrganizationMember",
  version: getOneMember,
  audit: ["org_remove_member"],
  method: "DELETE",
  path: "/organization/{orgname}/members/{membername}",
  summary: "Take a user out of all teams, and their roles on the organization's repositories away.",
  success: 204,
  handle: async ({ subject, params }, context) => removeMember(context, subject.organization, params.membername),
});

/** Operations on members and collaborators of organizations. */
export const organizationMemberOperations = [collaborators, list, getOneMember, removeOneMember];
