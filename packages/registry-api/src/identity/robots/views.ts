import type { RoleOfAccount, TeamOfAccount } from "@plimsoll/registry/accounts/queries";
import type { Sealer } from "@plimsoll/registry/crypto/secrets";
import type { RobotRow } from "@plimsoll/registry/identity/robots/queries";
import { nextPage } from "@plimsoll/registry/lists/list-pages";
import { Avatar, avatarOf } from "@plimsoll/registry/values/avatar";
import { formatDate, formatOptionalDate } from "@plimsoll/registry/values/dates";
import { type Static, Type } from "typebox";

const robotMembers = {
  name: Type.String({ description: "namespace+shortname" }),
  created: Type.String(),
  last_accessed: Type.Union([Type.String(), Type.Null()]),
  description: Type.String(),
  token: Type.Optional(Type.String({ description: "Its password; only shown to admins of the namespace" })),
};

/** The metadata that its owner stores with a robot. */
export const RobotMetadata = Type.Object({}, { additionalProperties: true, description: "Any JSON object" });

/** A robot as clients see it. */
export const Robot = Type.Object({ ...robotMembers, unstructured_metadata: Type.Optional(RobotMetadata) });
export type Robot = Static<typeof Robot>;

/** A list of robots. */
export const RobotList = Type.Object({
  robots: Type.Array(
    Type.Object({
      ...robotMembers,
      teams: Type.Optional(Type.Array(Type.Object({ name: Type.String(), avatar: Avatar }))),
      repositories: Type.Optional(Type.Array(Type.String(), { description: "Names, without the namespace" })),
    }),
  ),
  ...nextPage,
});

/** A robot as clients see it. The token is included if a sealer is given that can open it, which fails after the loss of a key. */
export function robotView(robot: RobotRow, secrets: Sealer | undefined): Robot {
  const token = secrets?.open(robot.token_sealed);
  return {
    name: robot.username,
    created: formatDate(robot.created_at),
    last_accessed: formatOptionalDate(robot.last_accessed_at),
    description: robot.description,
    token,
  };
}

/** A function that returns the teams and repositories of a robot, as clients see them. */
export function robotMemberships(teams: readonly TeamOfAccount[], grants: readonly RoleOfAccount[]) {
  const teamsOf = Map.groupBy(teams, ({ account_id }) => account_id);
  const grantsOf = Map.groupBy(grants, ({ account_id }) => account_id);
  return ({ id }: RobotRow) => ({
    teams: (teamsOf.get(id) ?? []).map(({ team_id, name }) => ({ name, avatar: avatarOf("team", name, team_id) })),
    repositories: (grantsOf.get(id) ?? []).map(({ repository }) => repository),
  });
}
