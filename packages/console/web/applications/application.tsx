import type { ResultOf } from "../api/operation.ts";
import { useChange } from "../api/use-change.ts";
import { useOperation } from "../api/use-operation.ts";
import { usePages } from "../api/use-pages.ts";
import { Answered } from "../shared/answered.tsx";
import { ConfirmedButton } from "../shared/confirmed-button.tsx";
import { Command } from "../shared/copy-button.tsx";
import { EditForm } from "../shared/edit-form.tsx";
import { Paged } from "../shared/paged.tsx";
import { Section } from "../shared/section.tsx";
import { Table } from "../shared/table.tsx";
import type { Column } from "../shared/table-row.tsx";
import { Time } from "../shared/time.tsx";
import { texts } from "../texts/texts.ts";
import { ApplicationFields, typedApplication } from "./application-fields.tsx";
import { GenerateToken } from "./generate-token.tsx";
import { type ShownApplication, scopeTitles } from "./scopes.ts";

const words = texts.applications;
const affected = [
  "GET /organization/{orgname}/applications/{client_id}",
  "GET /organization/{orgname}/applications",
] as const;

interface Props {
  readonly organization: string;
  readonly clientId: string;
}

/** An application: its tokens and its details. */
export function Application({ organization, clientId }: Props) {
  const params = { orgname: organization, client_id: clientId };
  return (
    <Answered query={useOperation("GET /organization/{orgname}/applications/{client_id}", { params })}>
      {(application) => (
        <>
          <ApplicationTokens organization={organization} application={application} />
          <Details organization={organization} application={application} />
        </>
      )}
    </Answered>
  );
}

interface DetailsProps {
  readonly organization: string;
  readonly application: ShownApplication;
}

function Details({ organization, application }: DetailsProps) {
  const { name, client_id: id, client_secret: secret } = application;
  const params = { orgname: organization, client_id: id };
  const change = useChange("PUT /organization/{orgname}/applications/{client_id}", affected);
  const reset = useChange("POST /organization/{orgname}/applications/{client_id}/resetclientsecret", affected);
  return (
    <Section title={words.details(name)}>
      <EditForm
        label={words.save}
        change={change}
        given={(typed) => ({ params, body: typedApplication(typed) })}
        value={application}
        fields={(shown) => <ApplicationFields application={shown} />}
      />
      {change.isSuccess && <p role="status">{words.saved}</p>}
      <dl className="facts">
        <dt>{words.client}</dt>
        <dd>
          <Command line={id} />
        </dd>
        {secret !== null && (
          <>
            <dt>{words.secret}</dt>
            <dd>
              <details>
                <summary>{words.showSecret}</summary>
                <Command line={secret} label={texts.credentials.secret} />
              </details>
              <ConfirmedButton
                label={words.resetSecret}
                consequence={words.secretReset(name)}
                change={reset}
                given={{ params }}
              />
            </dd>
          </>
        )}
      </dl>
    </Section>
  );
}

type Token = ResultOf<"GET /organization/{orgname}/applications/{client_id}/tokens">["tokens"][number];

const applicationTokenWords = texts.applications.tokens;

interface ApplicationTokenProps {
  readonly organization: string;
  readonly application: ShownApplication;
}

/** The access tokens of an application, and a form that generates one. */
function ApplicationTokens({ organization, application }: ApplicationTokenProps) {
  const params = { orgname: organization, client_id: application.client_id };
  const tokens = usePages("GET /organization/{orgname}/applications/{client_id}/tokens", { params, query: {} });
  const actions: Column<Token> = {
    title: applicationTokenWords.columns.actions,
    cell: ({ uuid }) => <Revoke {...params} token_uuid={uuid} />,
  };
  return (
    <>
      <GenerateToken organization={organization} application={application} />
      <Section title={applicationTokenWords.title(application.name)}>
        <Paged query={tokens}>
          {(pages) => (
            <Table
              columns={[...columns, actions]}
              rows={pages.flatMap((page) => page.tokens)}
              keyOf={({ uuid }) => uuid}
              empty={applicationTokenWords.none}
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
  return (
    <ConfirmedButton
      label={applicationTokenWords.revoke}
      consequence={applicationTokenWords.revoked}
      change={change}
      given={{ params }}
    />
  );
}

const columns: readonly Column<Token>[] = [
  { title: applicationTokenWords.columns.name, isName: true, cell: ({ name }) => name ?? applicationTokenWords.noName },
  { title: applicationTokenWords.columns.scopes, isText: true, cell: ({ scope }) => scopeTitles(scope.split(" ")) },
  { title: applicationTokenWords.columns.by, cell: ({ created_by: user }) => user },
  { title: applicationTokenWords.columns.created, cell: ({ created }) => <Time at={Date.parse(created)} /> },
  { title: applicationTokenWords.columns.expires, cell: ({ expires_at: at }) => <Time at={Date.parse(at)} /> },
  {
    title: applicationTokenWords.columns.used,
    cell: ({ last_accessed: used }) => (used === null ? applicationTokenWords.never : <Time at={Date.parse(used)} />),
  },
];
