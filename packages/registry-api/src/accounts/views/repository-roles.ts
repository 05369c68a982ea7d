import { byName, type ListPage, nextPage } from "@plimsoll/registry/lists/list-pages";
import type { RepositoryRole } from "@plimsoll/registry/store/tables/accounts";
import type { Visibility } from "@plimsoll/registry/store/tables/content";
import { type Static, Type } from "typebox";

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
export interface RoleOnRepository {
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
