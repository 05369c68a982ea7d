import { Type } from "typebox";
import { AccountRef, accountRef } from "../../accounts/views/account-ref.ts";
import { Avatar, avatarOf } from "../../accounts/views/avatar.ts";
import { RepositoryRoleView } from "../../accounts/views/repository-roles.ts";
import type { NamedPrototype } from "../queries/prototypes.ts";

/** A default permission as clients see it. */
export const Prototype = Type.Object({
  id: Type.String(),
  role: RepositoryRoleView,
  activating_user: Type.Union([AccountRef, Type.Null()]),
  delegate: Type.Union([AccountRef, Type.Object({ name: Type.String(), kind: Type.Literal("team"), avatar: Avatar })]),
});

/** A default permission as clients see it. @param members the ids of those of its accounts that belong to the organization */
export function prototypeView({ id, role, activating, delegate }: NamedPrototype, members: ReadonlySet<string>) {
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
