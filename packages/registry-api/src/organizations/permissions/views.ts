import type { AccountRow } from "@plimsoll/registry/access/queries";
import type { NamedPrototype } from "@plimsoll/registry/organizations/permissions/queries/prototypes";
import type { TeamGrant } from "@plimsoll/registry/organizations/permissions/queries/repository-permissions";
import type { UserRole } from "@plimsoll/registry/organizations/permissions/repository-permissions";
import { findOrganizationMembers } from "@plimsoll/registry/organizations/teams/queries/organization-members";
import type { RegistryDb } from "@plimsoll/registry/store/tables/all";
import { Avatar, avatarOf } from "@plimsoll/registry/values/avatar";
import { type Static, Type } from "typebox";
import { AccountRef, accountRef, avatarOfAccount, RepositoryRoleView } from "../../accounts/views.ts";

/** A default permission as clients see it. */
export const Prototype = Type.Object({
  id: Type.String(),
  role: RepositoryRoleView,
  activating_user: Type.Union([AccountRef, Type.Null()]),
  delegate: Type.Union([AccountRef, Type.Object({ name: Type.String(), kind: Type.Literal("team"), avatar: Avatar })]),
});

/** Prototypes as clients see them. */
export async function showPrototypes(db: RegistryDb, organization: AccountRow, prototypes: readonly NamedPrototype[]) {
  const accounts = prototypes.flatMap(({ activating, delegate }) => [activating?.id ?? [], delegate.id].flat());
  const members = await findOrganizationMembers(db, organization.id, accounts);
  return prototypes.map((prototype) => prototypeView(prototype, members));
}

/** A default permission as clients see it. @param members the ids of those of its accounts that belong to the organization */
function prototypeView({ id, role, activating, delegate }: NamedPrototype, members: ReadonlySet<string>) {
  return {
    id,
    role,
    activating_user: activating === undefined ? null : accountRef(activating, { isMember: members.has(activating.id) }),
    delegate:
      delegate.kind === "team"
        ? { name: delegate.name, kind: "team" as const, avatar: avatarOf("team", delegate.name, delegate.id) }
        : accountRef(delegate, { isMember: members.has(delegate.id) }),
  };
}

/** One prototype as clients see it. */
export async function showPrototype(db: RegistryDb, organization: AccountRow, prototype: NamedPrototype) {
  const accounts = [prototype.activating?.id ?? [], prototype.delegate.id].flat();
  return prototypeView(prototype, await findOrganizationMembers(db, organization.id, accounts));
}

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

/** The role of a user or robot as clients see it. */
export function userPermission(grant: UserRole): UserPermission {
  return {
    role: grant.role,
    name: grant.username,
    is_robot: grant.kind === "robot",
    avatar: avatarOfAccount(grant),
    is_org_member: grant.isMember,
  };
}

/** The role of a team as clients see it. */
export function teamPermission({ id, name, role }: TeamGrant): TeamPermission {
  return { role, name, avatar: avatarOf("team", name, id) };
}
