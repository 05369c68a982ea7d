import type {
  AccountGrant,
  TeamGrant,
} from "@plimsoll/registry/organizations/permissions/queries/repository-permissions";
import { Avatar, avatarOf } from "@plimsoll/registry/values/avatar";
import { type Static, Type } from "typebox";
import { avatarOfAccount } from "../../../accounts/views/account-ref.ts";
import { RepositoryRoleView } from "../../../accounts/views/repository-roles.ts";

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

/** The role of a user or robot as clients see it. @param members the members of the organization, if an organization owns the repository */
export function userPermission(grant: AccountGrant, members?: ReadonlySet<string>): UserPermission {
  return {
    role: grant.role,
    name: grant.username,
    is_robot: grant.kind === "robot",
    avatar: avatarOfAccount(grant),
    is_org_member: members?.has(grant.id),
  };
}

/** The role of a team as clients see it. */
export function teamPermission({ id, name, role }: TeamGrant): TeamPermission {
  return { role, name, avatar: avatarOf("team", name, id) };
}
