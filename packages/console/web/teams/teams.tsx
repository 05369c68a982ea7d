import { useState } from "react";
import type { ResultOf } from "../api/operation.ts";
import { useChange } from "../api/use-change.ts";
import { useOperation } from "../api/use-operation.ts";
import { GrantedRoles } from "../permissions/granted-roles.tsx";
import { Answered } from "../shared/answered.tsx";
import { ChangeForm, type Typed } from "../shared/change-form.tsx";
import { ChosenButton, ConfirmedButton } from "../shared/confirmed-button.tsx";
import { Disclosure } from "../shared/disclosure.tsx";
import { chosenOf, SelectField, TextField } from "../shared/fields.tsx";
import { Table } from "../shared/table.tsx";
import type { Column } from "../shared/table-row.tsx";
import { formatCount } from "../shared/units.ts";
import { texts } from "../texts/texts.ts";

type Team = NonNullable<ResultOf<"GET /organization/{orgname}">["teams"]>[string];

const words = texts.teams;

/** The teams of an organization, with the members of the chosen one. */
export function Teams({ organization }: { readonly organization: string }) {
  const [chosen, setChosen] = useState<string>();
  const found = useOperation("GET /organization/{orgname}", { params: { orgname: organization } });
  const name: Column<Team> = {
    title: words.columns.name,
    isName: true,
    text: (team) => team.name,
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
          <Table
            columns={[name, ...columns, actions]}
            rows={Object.values(teams)}
            keyOf={(team) => team.name}
            file={{ name: `${organization}-teams` }}
          />
        )}
      </Answered>
      {chosen !== undefined && (
        <>
          <TeamMembers key={chosen} organization={organization} team={chosen} />
          <GrantedRoles key={`roles of ${chosen}`} of={{ kind: "team", namespace: organization, name: chosen }} />
        </>
      )}
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

/** Creates a team with a role in the organization. */
function NewTeam({ organization }: { readonly organization: string }) {
  const change = useChange("PUT /organization/{orgname}/team/{teamname}", ["GET /organization/{orgname}"]);
  const given = (typed: Typed) => ({
    params: { orgname: organization, teamname: typed("name") },
    body: { role: chosenOf(words.roles, typed("role")) },
    replaces: null,
  });
  return (
    <ChangeForm label={words.create} change={change} given={given}>
      <TextField name="name" label={words.name} required maxLength={255} />
      <SelectField name="role" label={words.role} options={words.roles} />
    </ChangeForm>
  );
}

type Member = ResultOf<"GET /organization/{orgname}/team/{teamname}/members">["members"][number];

const teamMemberWords = texts.teamMembers;
const affected = ["GET /organization/{orgname}/team/{teamname}/members", "GET /organization/{orgname}"] as const;

interface Props {
  readonly organization: string;
  readonly team: string;
}

/** The members of a team, and the accounts and addresses that are invited to it. */
function TeamMembers({ organization, team }: Props) {
  const params = { orgname: organization, teamname: team };
  const members = useOperation("GET /organization/{orgname}/team/{teamname}/members", {
    params,
    query: { includePending: true },
  });
  const actions: Column<Member> = {
    title: teamMemberWords.columns.actions,
    cell: (member) =>
      "name" in member ? (
        <RemoveMember {...params} membername={member.name} />
      ) : (
        <WithdrawInvite {...params} email={member.email} />
      ),
  };
  return (
    <section aria-labelledby="team-members">
      <h3 id="team-members">{teamMemberWords.title(team)}</h3>
      <AddMember organization={organization} team={team} />
      <Answered query={members}>
        {({ members: list }) => (
          <Table
            columns={[...teamMemberColumns, actions]}
            rows={list}
            keyOf={nameOf}
            empty={teamMemberWords.none}
            choice={{
              mayChoose: (member) => "name" in member,
              actions: (chosen) => (
                <ChosenButton
                  label={teamMemberWords.removeChosen}
                  consequence={teamMemberWords.removedChosen(chosen.length, team)}
                  operation="DELETE /organization/{orgname}/team/{teamname}/members/{membername}"
                  affected={affected}
                  given={chosen.map((member) => ({ params: { ...params, membername: nameOf(member) } }))}
                />
              ),
            }}
            file={{ name: `${team}-members` }}
          />
        )}
      </Answered>
    </section>
  );
}

/** Adds an account to a team, or invites the owner of an e-mail address to it. */
function AddMember({ organization, team }: Props) {
  const [text, setText] = useState("");
  const change = useChange(
    text.includes("@")
      ? "PUT /organization/{orgname}/team/{teamname}/invite/{email}"
      : "PUT /organization/{orgname}/team/{teamname}/members/{membername}",
    affected,
  );
  const given = (typed: Typed) => {
    const name = typed("name").trim();
    return { params: { orgname: organization, teamname: team, membername: name, email: name } };
  };
  return (
    <ChangeForm label={teamMemberWords.add} change={change} given={given}>
      <TextField
        name="name"
        label={teamMemberWords.name}
        required
        maxLength={255}
        onChange={({ target }) => setText(target.value)}
      />
    </ChangeForm>
  );
}

function WithdrawInvite(params: { readonly orgname: string; readonly teamname: string; readonly email: string }) {
  const change = useChange("DELETE /organization/{orgname}/team/{teamname}/invite/{email}", affected);
  return (
    <ConfirmedButton
      label={teamMemberWords.withdraw}
      consequence={teamMemberWords.withdrawn(params.email, params.teamname)}
      change={change}
      given={{ params }}
    />
  );
}

function RemoveMember(params: { readonly orgname: string; readonly teamname: string; readonly membername: string }) {
  const change = useChange("DELETE /organization/{orgname}/team/{teamname}/members/{membername}", affected);
  return (
    <ConfirmedButton
      label={teamMemberWords.remove}
      consequence={teamMemberWords.removed(params.membername, params.teamname)}
      change={change}
      given={{ params }}
    />
  );
}

function nameOf(member: Member): string {
  return "name" in member ? member.name : member.email;
}

const teamMemberColumns: readonly Column<Member>[] = [
  { title: teamMemberWords.columns.name, isName: true, cell: nameOf },
  {
    title: teamMemberWords.columns.state,
    cell: ({ invited }) => (invited ? teamMemberWords.invited : teamMemberWords.member),
  },
];
