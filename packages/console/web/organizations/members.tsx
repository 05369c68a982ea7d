import type { ResultOf } from "../api/operation.ts";
import { useChange } from "../api/use-change.ts";
import { readAllRows, usePages } from "../api/use-pages.ts";
import { ChosenButton, ConfirmedButton } from "../shared/confirmed-button.tsx";
import { Paged } from "../shared/paged.tsx";
import { Section } from "../shared/section.tsx";
import { Table } from "../shared/table.tsx";
import type { Column } from "../shared/table-row.tsx";
import { texts } from "../texts/texts.ts";

type Member = ResultOf<"GET /organization/{orgname}/members">["members"][number];
type Collaborator = ResultOf<"GET /organization/{orgname}/collaborators">["collaborators"][number];

const { members: words, collaborators: collaboratorWords } = texts.organizationSettings;

/** The members of an organization's teams, and the collaborators: other accounts with roles on its repositories. */
export function Members({ organization }: { readonly organization: string }) {
  const given = { params: { orgname: organization }, query: {} };
  const members = usePages("GET /organization/{orgname}/members", given);
  const collaborators = usePages("GET /organization/{orgname}/collaborators", given);
  const actions: Column<Collaborator> = {
    title: words.columns.actions,
    cell: ({ name }) => <Remove orgname={organization} membername={name} />,
  };
  const choice = {
    actions: (chosen: readonly Collaborator[]) => (
      <ChosenButton
        label={words.removeChosen}
        consequence={words.removedChosen(chosen.length)}
        operation="DELETE /organization/{orgname}/members/{membername}"
        affected={ofMembers}
        given={chosen.map((member) => ({ params: { orgname: organization, membername: member.name } }))}
      />
    ),
  };
  return (
    <>
      <Section title={words.title} about={words.about}>
        <Paged query={members}>
          {(pages) => (
            <Table
              columns={[name, teams, repositories, actions]}
              rows={pages.flatMap((page) => page.members)}
              keyOf={(member) => member.name}
              choice={choice}
              empty={words.none}
              file={{
                name: `${organization}-members`,
                all: () => readAllRows("GET /organization/{orgname}/members", given, (page) => page.members),
              }}
            />
          )}
        </Paged>
      </Section>
      <Section title={collaboratorWords.title} about={collaboratorWords.about}>
        <Paged query={collaborators}>
          {(pages) => (
            <Table
              columns={[name, repositories, actions]}
              rows={pages.flatMap((page) => page.collaborators)}
              keyOf={(collaborator) => collaborator.name}
              choice={choice}
              empty={collaboratorWords.none}
              file={{
                name: `${organization}-collaborators`,
                all: () =>
                  readAllRows("GET /organization/{orgname}/collaborators", given, (page) => page.collaborators),
              }}
            />
          )}
        </Paged>
      </Section>
    </>
  );
}

/** What the removal of members makes stale. */
const ofMembers = [
  "GET /organization/{orgname}/members",
  "GET /organization/{orgname}/collaborators",
  "GET /organization/{orgname}",
] as const;

function Remove(params: { readonly orgname: string; readonly membername: string }) {
  const change = useChange("DELETE /organization/{orgname}/members/{membername}", ofMembers);
  const consequence = words.removed(params.membername);
  return <ConfirmedButton label={words.remove} consequence={consequence} change={change} given={{ params }} />;
}

const name: Column<Collaborator> = { title: words.columns.name, isName: true, cell: ({ name: text }) => text };
const teams: Column<Member> = {
  title: words.columns.teams,
  cell: ({ teams: list }) => list.map((team) => team.name).join(", "),
};
const repositories: Column<Collaborator> = {
  title: words.columns.repositories,
  cell: ({ repositories: list }) => list.join(", ") || "–",
};
