import type { AccountRow } from "@plimsoll/registry/access/queries";
import type { OrganizationViewer } from "@plimsoll/registry/access/see-organization";
import type { Collaborator as CollaboratorRoles, Member } from "@plimsoll/registry/organizations/members";
import type { TeamSummary } from "@plimsoll/registry/organizations/teams/queries/teams";
import { Avatar, avatarOf } from "@plimsoll/registry/values/avatar";
import { type Static, Type } from "typebox";
import { avatarOfAccount } from "../accounts/views.ts";
import { type QuotaSummary, quotaMembers } from "./quotas/views.ts";
import { TeamRoleView } from "./teams/views.ts";

const shared = {
  name: Type.String(),
  kind: Type.Enum(["user", "robot"]),
  avatar: Avatar,
  repositories: Type.Array(Type.String(), {
    description: "Repositories on which they have a role of their own, not from a team",
  }),
};

/** A user or robot with a role on repositories of an organization who is in no team of it. */
export const Collaborator = Type.Object(shared);
export type Collaborator = Static<typeof Collaborator>;

/** A member of an organization. */
export const OrganizationMember = Type.Object({
  ...shared,
  teams: Type.Array(Type.Object({ name: Type.String(), avatar: Avatar })),
});
export type OrganizationMember = Static<typeof OrganizationMember>;

/** A collaborator with their own roles, as clients see it. */
export function collaboratorView({ account, roles }: CollaboratorRoles): Collaborator {
  return {
    name: account.username,
    kind: account.kind === "robot" ? "robot" : "user",
    avatar: avatarOfAccount(account),
    repositories: roles.map(({ repository }) => repository),
  };
}

/** A member with their teams and their own roles, as clients see it. */
export function organizationMemberView(member: Member): OrganizationMember {
  return {
    ...collaboratorView(member),
    teams: member.teams.map(({ team_id, name }) => ({ name, avatar: avatarOf("team", name, team_id) })),
  };
}

const TeamInOrganization = Type.Object({
  name: Type.String(),
  description: Type.String(),
  role: TeamRoleView,
  avatar: Avatar,
  can_view: Type.Boolean({ description: "Whether the caller may see its members" }),
  repo_count: Type.Integer(),
  member_count: Type.Integer(),
  is_synced: Type.Boolean({ description: "Whether its members come from a directory" }),
});

/** An organization as it is shown: teams to its members, settings to its admins. */
export const Organization = Type.Object({
  name: Type.String(),
  email: Type.String(),
  avatar: Avatar,
  is_admin: Type.Boolean(),
  is_member: Type.Boolean(),
  teams: Type.Optional(Type.Record(Type.String(), TeamInOrganization)),
  ordered_teams: Type.Optional(Type.Array(Type.String(), { description: "Names of teams, the oldest first" })),
  invoice_email: Type.Optional(Type.Boolean()),
  invoice_email_address: Type.Optional(Type.Union([Type.String(), Type.Null()])),
  tag_expiration_s: Type.Optional(Type.Integer()),
  is_free_account: Type.Optional(Type.Boolean()),
  ...quotaMembers,
});

export type Organization = Static<typeof Organization>;

/** The part of an organization that only members see. */
interface MembersView {
  readonly teams: readonly TeamSummary[];
  readonly quota: QuotaSummary;
}

/** An organization as a caller sees it. The part for members is included if it is given and the viewer is a member. */
export function organizationView(
  organization: AccountRow,
  viewer: OrganizationViewer,
  forMembers?: MembersView,
): Organization {
  const { username: name, email } = organization;
  return {
    name,
    email: (viewer.isAdmin && email) || "",
    avatar: avatarOf("org", name, email),
    is_admin: viewer.isAdmin,
    is_member: viewer.isMember,
    ...(viewer.isMember && forMembers && { ...teamMembers(forMembers.teams, viewer), ...forMembers.quota }),
    ...(viewer.isAdmin && settingMembers(organization)),
  };
}

function teamMembers(teams: readonly TeamSummary[], viewer: OrganizationViewer) {
  return {
    teams: Object.fromEntries(teams.map((team) => [team.name, teamInOrganization(team, viewer)])),
    ordered_teams: teams.map(({ name }) => name),
  };
}

function teamInOrganization(team: TeamSummary, { isAdmin }: OrganizationViewer) {
  const { id, name, description, role, repositories, members, isSynced, isOwn } = team;
  return {
    name,
    description,
    role,
    avatar: avatarOf("team", name, id),
    can_view: isAdmin || isOwn,
    repo_count: repositories,
    member_count: members,
    is_synced: isSynced,
  };
}

function settingMembers({ invoice_email, invoice_email_address, tag_expiration_s }: AccountRow) {
  return { invoice_email: invoice_email === 1, invoice_email_address, tag_expiration_s, is_free_account: true };
}
