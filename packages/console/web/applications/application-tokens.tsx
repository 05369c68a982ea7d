import type { ResultOf } from "../api/operation.ts";
import { useChange } from "../api/use-change.ts";
import { usePages } from "../api/use-pages.ts";
import { ConfirmedButton } from "../shared/confirmed-button.tsx";
import { Paged } from "../shared/paged.tsx";
import { Section } from "../shared/section.tsx";
import { Table } from "../shared/table.tsx";
import type { Column } from "../shared/table-row.tsx";
import { Time } from "../shared/time.tsx";
import { texts } from "../texts/texts.ts";
import { GenerateToken } from "./generate-token.tsx";
import { scopeTitles } from "./scopes.ts";
import type { ShownApplication } from "./shown-application.ts";

type Token = ResultOf<"GET /organization/{orgname}/applications/{client_id}/tokens">["tokens"][number];

const words = texts.applications.tokens;

interface Props {
  readonly organization: string;
  readonly application: ShownApplication;
}

/** The access tokens of an application, and a form that generates one. */
export function ApplicationTokens({ organization, application }: Props) {
  const params = { orgname: organization, client_id: application.client_id };
  const tokens = usePages("GET /organization/{orgname}/applications/{client_id}/tokens", { params, query: {} });
  const actions: Column<Token> = {
    title: words.columns.actions,
    cell: ({ uuid }) => <Revoke {...params} token_uuid={uuid} />,
  };
  return (
    <>
      <GenerateToken organization={organization} application={application} />
      <Section title={words.title(application.name)}>
        <Paged query={tokens}>
          {(pages) => (
            <Table
              columns={[...columns, actions]}
              rows={pages.flatMap((page) => page.tokens)}
              keyOf={({ uuid }) => uuid}
              empty={words.none}
            />
          )}
        </Paged>
      </Section>
    </>
  );
}

function Revoke(params: { readonly orgname: string; readonly client_id: string; readonly token_uuid: string }) {
  const change = useChange("DELETE /organization/{orgname}/applications/{client_id}/tokens/{token_uuid}", [
    "GET /organization/{orgname}/applications/{client_id}/tokens",
  ]);
  return <ConfirmedButton label={words.revoke} consequence={words.revoked} change={change} given={{ params }} />;
}

const columns: readonly Column<Token>[] = [
  { title: words.columns.name, isName: true, cell: ({ name }) => name ?? words.noName },
  { title: words.columns.scopes, isText: true, cell: ({ scope }) => scopeTitles(scope.split(" ")) },
  { title: words.columns.by, cell: ({ created_by: user }) => user },
  { title: words.columns.created, cell: ({ created }) => <Time at={Date.parse(created)} /> },
  { title: words.columns.expires, cell: ({ expires_at: at }) => <Time at={Date.parse(at)} /> },
  {
    title: words.columns.used,
    cell: ({ last_accessed: used }) => (used === null ? words.never : <Time at={Date.parse(used)} />),
  },
];
