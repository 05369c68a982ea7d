import type { ShownRepository } from "../repositories/repository-name.ts";
import { Grants } from "./grants.tsx";

/** The permissions of users, robots and teams on a repository. */
export function RepositoryPermissions({ repository }: { readonly repository: ShownRepository }) {
  const { namespace, name, is_organization: isOrganization } = repository;
  const shown = { namespace, repository: `${namespace}/${name}` };
  return (
    <>
      {isOrganization && <Grants kind="team" {...shown} />}
      <Grants kind="user" {...shown} />
    </>
  );
}
