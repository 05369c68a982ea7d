import type { AccountRow } from "@plimsoll/registry/access/queries";
import { byName, type ListPage, nextPage } from "@plimsoll/registry/lists/list-pages";
import type { RepositoryRole } from "@plimsoll/registry/store/tables/accounts";
import type { Visibility } from "@plimsoll/registry/store/tables/content";
import { Avatar, avatarOf } from "@plimsoll/registry/values/avatar";
import { type Static, Type } from "typebox";

/** A reference to a user or a robot in a view. */
export const AccountRef = Type.Object({
  name: Type.String(),
  kind: Type.Literal("user"),
  is_robot: Type.Boolean(),
  is_org_member: Type.Boolean({ description: "Whether they are in a team of the organization, or a robot of it" }),
  avatar: Avatar,
});
export type AccountRef = Static<typeof AccountRef>;

/** The columns that a reference to an account needs. */
type NamedAccount = Pick<AccountRow, "kind" | "username" | "email">;

/** A reference to an account in the views of an organization's resources. */
export function accountRef(account: NamedAccount, { isMember }: { readonly isMember: boolean }): AccountRef {
  return {
    name: account.username,
    kind: "user",
    is_robot: account.kind === "robot",
    is_org_member: isMember,
    avatar: avatarOfAccount(account),
  };
}

/** The avatar of an account of any kind. */
export function avatarOfAccount({ kind, username, email }: NamedAccount): Avatar {
  return avatarOf(kind === "organization" ? "org" : kind, username, email);
}

/** A role that can be granted on a repository. */
export const RepositoryRoleView = Type.Enum(["read", "write", "admin"]);

/** The roles of a user, a robot or a team on repositories of one namespace. */
export const RepositoryRoles = Type.Object({
  permissions: Type.Array(
    Type.Object({
      repository: Type.Object({ name: Type.String(), is_public: Type.Boolean() }),
      role: RepositoryRoleView,
    }),
  ),
  ...nextPage,
});

/** A role on a repository. */
interface RoleOnRepository {
  readonly repository: string;
  readonly visibility: Visibility;
  readonly role: RepositoryRole;
}

/** Shows a page of roles on repositories. */
export function repositoryRolesView({ rows, ...next }: ListPage<RoleOnRepository>): Static<typeof RepositoryRoles> {
  const permissions = byName(rows, ({ repository }) => repository).map(({ repository, visibility, role }) => ({
    repository: { name: repository, is_public: visibility === "public" },
    role,
  }));
  return { permissions, ...next };
}
