import type { ShownRepository } from "../repositories/repository-name.ts";
import { Parts } from "../shared/parts.tsx";
import { texts } from "../texts/texts.ts";
import { Grants } from "./grants.tsx";

/** The permissions of users, robots and teams on a repository. */
export function RepositoryPermissions({ repository }: { readonly repository: ShownRepository }) {
  const { namespace, name, is_organization: isOrganization } = repository;
  const shown = { namespace, repository: `${namespace}/${name}` };
  const { users, teams } = texts.permissions.parts;
  return (
    <Parts
      label={texts.permissions.label}
      parts={{
        users: { title: users, show: () => <Grants key="user" kind="user" {...shown} /> },
        teams: isOrganization ? { title: teams, show: () => <Grants key="team" kind="team" {...shown} /> } : undefined,
      }}
    />
  );
}
