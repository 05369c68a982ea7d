import { onSelf } from "@plimsoll/registry/access/on-account";
import { onOrganization } from "@plimsoll/registry/access/on-organization";
import { onTeam, onTeamSync, seeTeam, type TeamSubject } from "@plimsoll/registry/access/on-team";
import { noMail } from "@plimsoll/registry/errors";
import { byId, ListPageQuery, readListPage } from "@plimsoll/registry/lists/list-pages";
import {
  acceptInvite,
  declineInvite,
  inviteToTeam,
  withdrawInvite,
} from "@plimsoll/registry/organizations/teams/invites";
import { addTeamMember, removeTeamMember, syncedTeam } from "@plimsoll/registry/organizations/teams/members";
import { findTeamSync, listRolesOfTeam } from "@plimsoll/registry/organizations/teams/queries/teams";
import { checkGroup, disableTeamSync, enableTeamSync } from "@plimsoll/registry/organizations/teams/sync";
import { deleteTeam, putTeam } from "@plimsoll/registry/organizations/teams/teams";
import { noMailer } from "@plimsoll/registry/ports";
import { checkEmailAddress } from "@plimsoll/registry/values/names";
import { Type } from "typebox";
import { RepositoryRoles, repositoryRolesView } from "../../accounts/views.ts";
import type { OperationContext } from "../../context.ts";
import { operation } from "../../operation.ts";
import { showTeamMembers } from "./show-members.ts";
import {
  InvitedEmail,
  invitedEmailView,
  Team,
  TeamMember,
  TeamMembers,
  TeamRoleView,
  teamMemberView,
  teamView,
} from "./views.ts";

const tag = "team";

const list = operation({
  id: "getOrganizationTeamMembers",
  method: "GET",
  path: "/organization/{orgname}/team/{teamname}/members",
  summary: "Who is in a team.",
  tag,
  access: seeTeam,
  query: Type.Object({
    ...ListPageQuery.properties,
    includePending: Type.Optional(
      Type.Boolean({ description: "Whether to show admins the users who have not answered yet" }),
    ),
  }),
  success: 200,
  result: TeamMembers,
  handle: async ({ subject, query }, context) => showTeamMembers(context, subject, query),
});

const add = operation({
  id: "updateOrganizationTeamMember",
  keeps: "teamMembers",
  audit: ["org_add_team_member", "org_invite_team_member"],
  method: "PUT",
  path: "/organization/{orgname}/team/{teamname}/members/{membername}",
  summary: "Put a user or a robot into a team, or ask the user to join it.",
  tag,
  access: onTeam(),
  success: 200,
  result: TeamMember,
  async handle({ subject, params }, context) {
    const { account, invited } = await addTeamMember(context, subject, params.membername);
    return teamMemberView(account, { invited });
  },
});

const removeOneMember = operation({
  id: "deleteOrganizationTeamMember",
  audit: ["org_remove_team_member", "org_delete_team_member_invite"],
  method: "DELETE",
  path: "/organization/{orgname}/team/{teamname}/members/{membername}",
  summary: "Take a user or a robot out of a team; of whom has not answered yet, the invite.",
  tag,
  access: onTeam(),
  success: 204,
  handle: async ({ subject, params }, context) => removeTeamMember(context, subject, params.membername),
});

/** Operations on members of teams. */
export const teamMemberOperations = [list, add, removeOneMember];

const inviteCommon = { tag: "team", internal: true } as const;

const invite = operation({
  ...inviteCommon,
  id: "inviteTeamMemberEmail",
  keeps: "invites",
  audit: ["org_invite_team_member"],
  method: "PUT",
  path: "/organization/{orgname}/team/{teamname}/invite/{email}",
  summary: "Invite the owner of an e-mail address to a team.",
  access: onTeam(),
  success: 200,
  result: InvitedEmail,
  async handle({ subject, params }, context) {
    const email = params.email.toLowerCase();
    await checkInvitable(context, subject, email);
    await inviteToTeam(context, subject, { email });
    return invitedEmailView(email);
  },
});

async function checkInvitable({ db, mailer }: OperationContext, { team }: TeamSubject, email: string): Promise<void> {
  if (mailer === noMailer) throw noMail();
  if ((await findTeamSync(db, team.id)) !== undefined) throw syncedTeam();
  checkEmailAddress(email);
}

const uninvite = operation({
  ...inviteCommon,
  id: "deleteTeamMemberEmailInvite",
  audit: ["org_delete_team_member_invite"],
  method: "DELETE",
  path: "/organization/{orgname}/team/{teamname}/invite/{email}",
  summary: "Withdraw the request for consent of an email address.",
  access: onTeam(),
  success: 204,
  handle: ({ subject, params }, context) => withdrawInvite(context, subject.team, params.email.toLowerCase()),
});

const accept = operation({
  ...inviteCommon,
  id: "acceptOrganizationTeamInvite",
  audit: ["org_team_member_invite_accepted"],
  method: "PUT",
  path: "/teaminvite/{code}",
  secretParams: ["code"],
  summary: "Join a team, and every other of the organization that the caller was asked to join.",
  access: onSelf("user:admin"),
  success: 200,
  result: Type.Object({ org: Type.String(), team: Type.String() }),
  async handle({ subject, params }, context) {
    const { organization: org, team } = await acceptInvite(context, subject.account, params.code);
    return { org, team };
  },
});

const decline = operation({
  ...inviteCommon,
  id: "declineOrganizationTeamInvite",
  audit: ["org_team_member_invite_declined"],
  method: "DELETE",
  path: "/teaminvite/{code}",
  secretParams: ["code"],
  summary: "Do not join a team.",
  access: onSelf("user:admin"),
  success: 204,
  handle: async ({ subject, params }, context) => declineInvite(context, subject.account, params.code),
});

/** Operations on invites to teams. */
export const teamInviteOperations = [invite, uninvite, accept, decline];

const syncCommon = {
  tag: "team",
  path: "/organization/{orgname}/team/{teamname}/syncing",
  access: onTeamSync,
  feature: "teamSync",
  freshLogin: true,
} as const;

const enable = operation({
  ...syncCommon,
  id: "enableOrganizationTeamSync",
  audit: ["enable_team_sync", "org_remove_team_member"],
  method: "POST",
  summary: "Take the users of a team from a group of the directory, or of an identity provider.",
  body: Type.Object({
    group_dn: Type.Optional(Type.String({ maxLength: 2048, description: "Distinguished name of the group" })),
    group_name: Type.Optional(
      Type.String({ maxLength: 2048, description: "Name of the group at an identity provider" }),
    ),
    service: Type.Optional(Type.String({ maxLength: 255, description: "The identity provider, if there are several" })),
  }),
  success: 200,
  result: Team,
  prepare: ({ body }, context) => checkGroup(context, body),
  async handle({ subject, prepared: group }, context) {
    await enableTeamSync(context, subject, group);
    return teamView(subject.team, { isNew: false });
  },
});

const disable = operation({
  ...syncCommon,
  id: "disableOrganizationTeamSync",
  audit: ["disable_team_sync"],
  method: "DELETE",
  summary: "Stop the synchronization of a team; its members stay.",
  success: 200,
  result: Team,
  async handle({ subject }, context) {
    await disableTeamSync(context, subject);
    return teamView(subject.team, { isNew: false });
  },
});

/** Operations on the synchronization of teams with a directory. */
export const teamSyncOperations = [enable, disable];

const get = operation({
  id: "getOrganizationTeam",
  versionMembers: ["description", "role"],
  isOwn: true,
  method: "GET",
  path: "/organization/{orgname}/team/{teamname}",
  summary: "A team.",
  tag,
  internal: true,
  access: onTeam(),
  success: 200,
  result: Team,
  handle: async ({ subject: { team } }) => teamView(team, { isNew: false }),
});

const put = operation({
  id: "updateOrganizationTeam",
  version: get,
  keeps: "teams",
  audit: ["org_set_team_role", "org_create_team", "org_set_team_description"],
  method: "PUT",
  path: "/organization/{orgname}/team/{teamname}",
  summary: "Make a team, or change its role and its description.",
  tag,
  internal: true,
  access: onOrganization("admin"),
  body: Type.Object({
    role: TeamRoleView,
    description: Type.Optional(Type.String({ maxLength: 10_000, description: "Markdown; stays where absent" })),
  }),
  success: 200,
  result: Team,
  async handle({ subject: { organization }, params, body }, context) {
    const { team, isNew } = await putTeam(context, { organization, name: params.teamname, ...body });
    return teamView(team, { isNew });
  },
});

const removeTeam = operation({
  id: "deleteOrganizationTeam",
  version: get,
  audit: ["org_delete_team"],
  method: "DELETE",
  path: "/organization/{orgname}/team/{teamname}",
  summary: "Delete a team with its permissions.",
  tag,
  internal: true,
  access: onOrganization("admin"),
  success: 204,
  handle: async ({ subject, params }, context) => deleteTeam(context, subject.organization, params.teamname),
});

const permissions = operation({
  id: "getOrganizationTeamPermissions",
  method: "GET",
  path: "/organization/{orgname}/team/{teamname}/permissions",
  summary: "The roles of a team on repositories.",
  tag,
  access: onTeam({ scope: undefined }),
  query: ListPageQuery,
  success: 200,
  result: RepositoryRoles,
  async handle({ subject: { team }, query }, context) {
    const list = { list: "team permissions", ownerId: team.id, query, ...byId } as const;
    return repositoryRolesView(await readListPage(context, list, (from) => listRolesOfTeam(context.db, team.id, from)));
  },
});

/** Operations on teams. */
export const teamOperations = [get, put, removeTeam, permissions];
