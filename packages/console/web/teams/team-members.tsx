import type { ResultOf } from "../api/operation.ts";
import { useChange } from "../api/use-change.ts";
import { useOperation } from "../api/use-operation.ts";
import { Answered } from "../shared/answered.tsx";
import { ChangeForm, type Typed } from "../shared/change-form.tsx";
import { ConfirmedButton } from "../shared/confirmed-button.tsx";
import { Table } from "../shared/table.tsx";
import type { Column } from "../shared/table-row.tsx";
import { TextField } from "../shared/text-field.tsx";
import { texts } from "../texts/texts.ts";

type Member = ResultOf<"GET /organization/{orgname}/team/{teamname}/members">["members"][number];

const words = texts.teamMembers;
const affected = ["GET /organization/{orgname}/team/{teamname}/members", "GET /organization/{orgname}"] as const;

interface Props {
  readonly organization: string;
  readonly team: string;
}

/** The members of a team, and the accounts and addresses that are invited to it. */
export function TeamMembers({ organization, team }: Props) {
  const params = { orgname: organization, teamname: team };
  const members = useOperation("GET /organization/{orgname}/team/{teamname}/members", {
    params,
    query: { includePending: true },
  });
  const actions: Column<Member> = {
    title: words.columns.actions,
    cell: (member) => "name" in member && <RemoveMember {...params} membername={member.name} />,
  };
  return (
    <section aria-labelledby="team-members">
      <h3 id="team-members">{words.title(team)}</h3>
      <AddMember organization={organization} team={team} />
      <Answered query={members}>
        {({ members: list }) => <Table columns={[...columns, actions]} rows={list} keyOf={nameOf} empty={words.none} />}
      </Answered>
    </section>
  );
}

function AddMember({ organization, team }: Props) {
  const change = useChange("PUT /organization/{orgname}/team/{teamname}/members/{membername}", affected);
  const given = (typed: Typed) => ({
    params: { orgname: organization, teamname: team, membername: typed("name") },
  });
  return (
    <ChangeForm label={words.add} change={change} given={given}>
      <TextField name="name" label={words.name} required maxLength={255} />
    </ChangeForm>
  );
}

function RemoveMember(params: { readonly orgname: string; readonly teamname: string; readonly membername: string }) {
  const change = useChange("DELETE /organization/{orgname}/team/{teamname}/members/{membername}", affected);
  return (
    <ConfirmedButton
      label={words.remove}
      consequence={words.removed(params.membername, params.teamname)}
      change={change}
      given={{ params }}
    />
  );
}

function nameOf(member: Member): string {
  return "name" in member ? member.name : member.email;
}

const columns: readonly Column<Member>[] = [
  { title: words.columns.name, isName: true, cell: nameOf },
  { title: words.columns.state, cell: ({ invited }) => (invited ? words.invited : words.member) },
];
