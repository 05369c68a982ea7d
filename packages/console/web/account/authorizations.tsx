import type { ResultOf } from "../api/operation.ts";
import { useChange } from "../api/use-change.ts";
import { usePages } from "../api/use-pages.ts";
import { ConfirmedButton } from "../shared/confirmed-button.tsx";
import { Paged } from "../shared/paged.tsx";
import { Section } from "../shared/section.tsx";
import { Table } from "../shared/table.tsx";
import type { Column } from "../shared/table-row.tsx";
import { texts } from "../texts/texts.ts";

type Authorization = ResultOf<"GET /user/authorizations">["authorizations"][number];
type AssignedAuthorization = ResultOf<"GET /user/assignedauthorization">["authorizations"][number];

const words = texts.authorizations;

/** The applications that act for the visitor. */
export function Authorizations() {
  const authorizations = usePages("GET /user/authorizations", { query: {} });
  return (
    <Section title={words.title} about={words.about}>
      <Paged query={authorizations}>
        {(pages) => (
          <Table
            columns={[...columns, { title: words.columns.actions, cell: (each) => <End authorization={each} /> }]}
            rows={pages.flatMap((page) => page.authorizations)}
            keyOf={({ uuid }) => uuid}
            empty={words.none}
          />
        )}
      </Paged>
    </Section>
  );
}

/** The applications for which an administrator asks the visitor to generate a token; nothing if there is none. */
export function AssignedAuthorizations() {
  const assigned = usePages("GET /user/assignedauthorization", { query: {} });
  const rows = assigned.data?.pages.flatMap((page) => page.authorizations) ?? [];
  if (rows.length === 0) return undefined;
  return (
    <Section title={words.assigned.title} about={words.assigned.about}>
      <Table
        columns={[
          ...columns,
          { title: words.columns.actions, cell: (each: AssignedAuthorization) => <AssignedActions assigned={each} /> },
        ]}
        rows={rows}
        keyOf={({ uuid }) => uuid}
      />
    </Section>
  );
}

function End({ authorization: { uuid, application } }: { readonly authorization: Authorization }) {
  const change = useChange("DELETE /user/authorizations/{access_token_uuid}", ["GET /user/authorizations"]);
  const given = { params: { access_token_uuid: uuid } };
  return (
    <ConfirmedButton label={words.end} consequence={words.ended(application.name)} change={change} given={given} />
  );
}

/** A link to the registry's page that authorizes the application, and a button that declines. */
function AssignedActions({
  assigned: { uuid, application, redirectUri, responseType, scopes },
}: {
  readonly assigned: AssignedAuthorization;
}) {
  const change = useChange("DELETE /user/assignedauthorization/{assigned_authorization_uuid}", [
    "GET /user/assignedauthorization",
  ]);
  const query = new URLSearchParams({
    client_id: application.clientId,
    redirect_uri: redirectUri,
    response_type: responseType,
    scope: scopes.map(({ scope }) => scope).join(" "),
    assignment_uuid: uuid,
  });
  return (
    <>
      <a href={`/oauth/authorize?${query}`}>{words.assigned.review}</a>
      <ConfirmedButton
        label={words.assigned.decline}
        consequence={words.assigned.declined(application.name)}
        change={change}
        given={{ params: { assigned_authorization_uuid: uuid } }}
      />
    </>
  );
}

const columns: readonly Column<Authorization>[] = [
  { title: words.columns.application, isName: true, cell: ({ application }) => application.name },
  { title: words.columns.organization, cell: ({ application }) => application.organization.name },
  { title: words.columns.scopes, isText: true, cell: ({ scopes }) => scopes.map(({ title }) => title).join(", ") },
];
