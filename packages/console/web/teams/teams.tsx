import { useState } from "react";
import type { ResultOf } from "../api/operation.ts";
import { useChange } from "../api/use-change.ts";
import { useOperation } from "../api/use-operation.ts";
import { Answered } from "../shared/answered.tsx";
import { ConfirmedButton } from "../shared/confirmed-button.tsx";
import { Disclosure } from "../shared/disclosure.tsx";
import { Table } from "../shared/table.tsx";
import type { Column } from "../shared/table-row.tsx";
import { formatCount } from "../shared/units.ts";
import { texts } from "../texts/texts.ts";
import { NewTeam } from "./new-team.tsx";
import { TeamMembers } from "./team-members.tsx";

type Team = NonNullable<ResultOf<"GET /organization/{orgname}">["teams"]>[string];

const words = texts.teams;

/** The teams of an organization, with the members of the chosen one. */
export function Teams({ organization }: { readonly organization: string }) {
  const [chosen, setChosen] = useState<string>();
  const found = useOperation("GET /organization/{orgname}", { params: { orgname: organization } });
  const name: Column<Team> = {
    title: words.columns.name,
    isName: true,
    cell: (team) => (
      <Disclosure
        isOpen={chosen === team.name}
        onToggle={() => setChosen(chosen === team.name ? undefined : team.name)}
      >
        {team.name}
      </Disclosure>
    ),
  };
  const actions: Column<Team> = {
    title: words.columns.actions,
    cell: (team) => <DeleteTeam organization={organization} team={team.name} />,
  };
  return (
    <section aria-labelledby="teams">
      <h2 id="teams">{words.title}</h2>
      <p>{words.about}</p>
      <NewTeam organization={organization} />
      <Answered query={found}>
        {({ teams = {} }) => (
          <Table columns={[name, ...columns, actions]} rows={Object.values(teams)} keyOf={(team) => team.name} />
        )}
      </Answered>
      {chosen !== undefined && <TeamMembers key={chosen} organization={organization} team={chosen} />}
    </section>
  );
}

function DeleteTeam({ organization, team }: { readonly organization: string; readonly team: string }) {
  const change = useChange("DELETE /organization/{orgname}/team/{teamname}", ["GET /organization/{orgname}"]);
  const params = { orgname: organization, teamname: team };
  return <ConfirmedButton label={words.remove} consequence={words.removed(team)} change={change} given={{ params }} />;
}

const columns: readonly Column<Team>[] = [
  { title: words.columns.role, cell: ({ role }) => words.roles[role] },
  { title: words.columns.members, isNumber: true, cell: ({ member_count: count }) => formatCount(count) },
  { title: words.columns.repositories, isNumber: true, cell: ({ repo_count: count }) => formatCount(count) },
];
