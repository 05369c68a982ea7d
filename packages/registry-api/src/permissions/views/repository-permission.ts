import { type Static, Type } from "typebox";
import { avatarOfAccount } from "../../accounts/views/account-ref.ts";
import { Avatar, avatarOf } from "../../accounts/views/avatar.ts";
import { RepositoryRoleView } from "../../accounts/views/repository-roles.ts";
import type { AccountGrant, TeamGrant } from "../queries/repository-permissions.ts";

/** The role of a user or robot on a repository. */
export const UserPermission = Type.Object({
  role: RepositoryRoleView,
  name: Type.String(),
  is_robot: Type.Boolean(),
  avatar: Avatar,
  is_org_member: Type.Optional(Type.Boolean({ description: "Only for repositories of organizations" })),
});

export type UserPermission = Static<typeof UserPermission>;

/** The role of a team on a repository. */
export const TeamPermission = Type.Object({ role: RepositoryRoleView, name: Type.String(), avatar: Avatar });

export type TeamPermission = Static<typeof TeamPermission>;

/** Shows what a user or robot is granted. @param members of the organization that has the repository, if one has it */
export function userPermission(grant: AccountGrant, members?: ReadonlySet<string>): UserPermission {
  return {
    role: grant.role,
    name: grant.username,
    is_robot: grant.kind === "robot",
    avatar: avatarOfAccount(grant),
    ...(members && { is_org_member: members.has(grant.id) }),
  };
}

/** Shows what a team is granted. */
export function teamPermission({ id, name, role }: TeamGrant): TeamPermission {
  return { role, name, avatar: avatarOf("team", name, id) };
}
