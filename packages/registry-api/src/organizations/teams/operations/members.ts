import { onTeam, seeTeam } from "@plimsoll/registry/access/on-team";
import { ListPageQuery } from "@plimsoll/registry/lists/list-pages";
import { addTeamMember, removeTeamMember } from "@plimsoll/registry/organizations/teams/members";
import { Type } from "typebox";
import { operation } from "../../../operation.ts";
import { showTeamMembers } from "../show-members.ts";
import { TeamMember, TeamMembers, teamMemberView } from "../views.ts";

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

const remove = operation({
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
export const teamMemberOperations = [list, add, remove];
