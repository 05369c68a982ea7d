import { accountOf, type Principal } from "../access/principal.ts";
import type { ImageRepository } from "../access/queries.ts";
import type { RepositoryRole } from "../store/tables/accounts.ts";

/** A tag of a repository. */
export interface TagOf {
  readonly repository: ImageRepository;
  readonly name: string;
}

/** A tag, and the role of the caller who changes it. */
export interface ChangedTag extends TagOf {
  /** Absent for superusers. */
  readonly role?: RepositoryRole;
}

/** The members of entries of the usage log that name a tag. */
export function logPlace({ repository, name }: TagOf, { principal }: { readonly principal: Principal }) {
  const username = accountOf(principal)?.username;
  return { username, repo: repository.name, namespace: repository.namespace, tag: name };
}
