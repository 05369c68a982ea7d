import type { AccountRow } from "@plimsoll/registry/access/queries/accounts";
import type { RoleOfAccount, TeamOfAccount } from "@plimsoll/registry/accounts/queries/memberships";
import { Avatar, avatarOf } from "@plimsoll/registry/values/avatar";
import { type Static, Type } from "typebox";
import { avatarOfAccount } from "../../accounts/views/account-ref.ts";

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

/** The columns of an account that the views of members need. */
export type MemberAccount = Pick<AccountRow, "id" | "kind" | "username" | "email">;

/** A collaborator with their own roles, as clients see it. */
export function collaboratorView(account: MemberAccount, grants: readonly RoleOfAccount[]): Collaborator {
  return {
    name: account.username,
    kind: account.kind === "robot" ? "robot" : "user",
    avatar: avatarOfAccount(account),
    repositories: grants.map(({ repository }) => repository),
  };
}

/** A member with their teams and their own roles, as clients see it. */
export function organizationMemberView(
  account: MemberAccount,
  teams: readonly TeamOfAccount[],
  grants: readonly RoleOfAccount[],
): OrganizationMember {
  return {
    ...collaboratorView(account, grants),
    teams: teams.map(({ team_id, name }) => ({ name, avatar: avatarOf("team", name, team_id) })),
  };
}
