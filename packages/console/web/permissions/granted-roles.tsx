import { Link } from "wouter";
import type { ResultOf } from "../api/operation.ts";
import { useChange } from "../api/use-change.ts";
import { readAllRows, usePages } from "../api/use-pages.ts";
import { repositoryPath } from "../places.ts";
import { ConfirmedButton } from "../shared/confirmed-button.tsx";
import { Paged } from "../shared/paged.tsx";
import { Table } from "../shared/table.tsx";
import type { Column } from "../shared/table-row.tsx";
import { texts } from "../texts/texts.ts";

const words = texts.permissions;

/** Whose roles are shown. */
interface Grantee {
  readonly kind: "robot of a user" | "robot of an organization" | "team";
  readonly namespace: string;
  /** Without the namespace. */
  readonly name: string;
}

type Granted = ResultOf<"GET /user/robots/{robot_shortname}/permissions">["permissions"][number];

/** All roles that a robot or a team has itself on repositories; each can be taken away. */
export function GrantedRoles({ of: grantee }: { readonly of: Grantee }) {
  const { namespace, name } = grantee;
  const list = lists[grantee.kind];
  const given = { params: { orgname: namespace, teamname: name, robot_shortname: name }, query: {} };
  const actions: Column<Granted> = {
    title: words.columns.actions,
    cell: ({ repository }) => <Remove of={grantee} repository={repository.name} />,
  };
  const repositoryName: Column<Granted> = {
    title: words.granted.repository,
    isName: true,
    text: ({ repository }) => `${namespace}/${repository.name}`,
    cell: ({ repository }) => <Link href={repositoryPath(namespace, repository.name)}>{repository.name}</Link>,
  };
  return (
    <section aria-labelledby="granted-roles">
      <h3 id="granted-roles">{words.granted.title(name)}</h3>
      <Paged query={usePages(list, given)}>
        {(pages) => (
          <Table
            columns={[repositoryName, role, actions]}
            rows={pages.flatMap(({ permissions }) => permissions)}
            keyOf={({ repository }) => repository.name}
            empty={words.granted.none}
            file={{ name: `${name}-permissions`, all: () => readAllRows(list, given, (page) => page.permissions) }}
          />
        )}
      </Paged>
    </section>
  );
}

const role: Column<Granted> = { title: words.columns.role, cell: ({ role: granted }) => words.roles[granted] };

const lists = {
  "robot of a user": "GET /user/robots/{robot_shortname}/permissions",
  "robot of an organization": "GET /organization/{orgname}/robots/{robot_shortname}/permissions",
  team: "GET /organization/{orgname}/team/{teamname}/permissions",
} as const;

/** The lists of roles, which a granted or removed role makes stale. */
export const roleLists = Object.values(lists);

function Remove({ of: { kind, namespace, name }, repository }: { readonly of: Grantee; readonly repository: string }) {
  const isTeam = kind === "team";
  const change = useChange(
    isTeam
      ? "DELETE /repository/{repository}/permissions/team/{teamname}"
      : "DELETE /repository/{repository}/permissions/user/{username}",
    roleLists,
  );
  const params = { repository: `${namespace}/${repository}`, teamname: name, username: `${namespace}+${name}` };
  const consequence = words[isTeam ? "team" : "user"].removed(isTeam ? name : `${namespace}+${name}`);
  return <ConfirmedButton label={words.remove} consequence={consequence} change={change} given={{ params }} />;
}
