import { accountOf, type Principal } from "../access/principal.ts";
import type { ImageRepository } from "../access/queries/image-repositories.ts";
import type { RepositoryRole } from "../store/tables/accounts.ts";

/** A tag of a repository. */
export interface TagOf {
  readonly repository: ImageRepository;
  readonly name: string;
}

/** A tag, and who changes it. */
export interface ChangedTag extends TagOf {
  /** Absent for superusers. */
  readonly role?: RepositoryRole;
}

/** What entries of the usage log say of the place of a tag. */
export function logPlace({ repository, name }: TagOf, { principal }: { readonly principal: Principal }) {
  const username = accountOf(principal)?.username;
  return { username, repo: repository.name, namespace: repository.namespace, tag: name };
}
