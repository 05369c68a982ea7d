import type { Role } from "./role-select.tsx";

/** The kind of account that is granted a role: a user or robot, or a team. */
export type GrantKind = "user" | "team";

/** A role on a repository. */
export interface Grant {
  readonly name: string;
  readonly role: Role;
  readonly is_robot?: boolean;
  /** Absent if the repository does not belong to an organization. */
  readonly is_org_member?: boolean;
}

/** The operations on the grants of a kind. */
export function grantCalls(kind: GrantKind) {
  const isUser = kind === "user";
  return {
    list: isUser ? "GET /repository/{repository}/permissions/user/" : "GET /repository/{repository}/permissions/team/",
    read: isUser
      ? "GET /repository/{repository}/permissions/user/{username}"
      : "GET /repository/{repository}/permissions/team/{teamname}",
    change: isUser
      ? "PUT /repository/{repository}/permissions/user/{username}"
      : "PUT /repository/{repository}/permissions/team/{teamname}",
    remove: isUser
      ? "DELETE /repository/{repository}/permissions/user/{username}"
      : "DELETE /repository/{repository}/permissions/team/{teamname}",
  } as const;
}

/** The parameters that name a grant. Each operation uses those that its path contains. */
export function grantParams(repository: string, name: string) {
  return { repository, username: name, teamname: name };
}
