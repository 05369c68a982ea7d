import { onTeamSync } from "@plimsoll/registry/access/on-team";
import { checkGroup, disableTeamSync, enableTeamSync } from "@plimsoll/registry/organizations/teams/sync";
import { Type } from "typebox";
import { operation } from "../../../operation.ts";
import { Team, teamView } from "../views.ts";

const shared = {
  tag: "team",
  path: "/organization/{orgname}/team/{teamname}/syncing",
  access: onTeamSync,
  feature: "teamSync",
  freshLogin: true,
} as const;

const enable = operation({
  ...shared,
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
  ...shared,
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
