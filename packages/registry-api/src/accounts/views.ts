import type { AccountRow } from "@plimsoll/registry/access/queries";
import { accountsPerPage } from "@plimsoll/registry/accounts/all-accounts";
import { byName, type ListPage, nextPage, PageToken } from "@plimsoll/registry/lists/list-pages";
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

/** A password as a user types it. */
export const Password = Type.String({ maxLength: 1024 });

/** An e-mail address. */
export const Email = Type.String({ maxLength: 254 });

/** The page of the registry to which the link of a message leads back in the end. */
export const NextPage = Type.String({
  maxLength: 2048,
  description: "The path of the page to show after signing in; the link of the message keeps it. Plimsoll's own",
});

/** An e-mail address, or null to remove it. */
export const ClearableEmail = Type.Union([Email, Type.Null()], { description: "Empty or null: none" });

/** For how long removed tags can be restored. */
export const TagExpiration = Type.Integer({ minimum: 0, maximum: 100_000_000_000, description: "Seconds" });

/** The query parameters of a superuser's list of accounts. */
export const AccountPageQuery = Type.Object({
  next_page: Type.Optional(PageToken),
  limit: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: accountsPerPage,
      description: `Accounts a page; ${accountsPerPage} where absent`,
    }),
  ),
});

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
