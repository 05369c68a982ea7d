import {
  deleteAssignedAuthorization,
  deleteUserAuthorization,
  listAssignedAuthorizations,
  listUserAuthorizations,
} from "../api/generated/user.ts";
import type { ResultOf } from "../api/operation.ts";
import { useChange } from "../api/use-change.ts";
import { usePages } from "../api/use-pages.ts";
import { ConfirmedButton } from "../shared/confirmed-button.tsx";
import { Paged } from "../shared/paged.tsx";
import { Section } from "../shared/section.tsx";
import { Table } from "../shared/table.tsx";
import type { Column } from "../shared/table-row.tsx";
import { texts } from "../texts/texts.ts";

type Authorization = ResultOf<typeof listUserAuthorizations>["authorizations"][number];
type Asked = ResultOf<typeof listAssignedAuthorizations>["authorizations"][number];

const words = texts.authorizations;

/** The applications that act for the visitor, and those that the visitor is asked to let in. */
export function Authorizations() {
  const authorizations = usePages(listUserAuthorizations, { query: {} });
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

/** The applications that the visitor is asked to let in; nothing where there is none. */
export function AskedAuthorizations() {
  const asked = usePages(listAssignedAuthorizations, { query: {} });
  const rows = asked.data?.pages.flatMap((page) => page.authorizations) ?? [];
  if (rows.length === 0) return undefined;
  return (
    <Section title={words.asked.title} about={words.asked.about}>
      <Table
        columns={[...columns, { title: words.columns.actions, cell: (each: Asked) => <Answer asked={each} /> }]}
        rows={rows}
        keyOf={({ uuid }) => uuid}
      />
    </Section>
  );
}

function End({ authorization: { uuid, application } }: { readonly authorization: Authorization }) {
  const change = useChange(deleteUserAuthorization, [listUserAuthorizations]);
  const given = { params: { access_token_uuid: uuid } };
  return (
    <ConfirmedButton label={words.end} consequence={words.ended(application.name)} change={change} given={given} />
  );
}

/** The registry's own page asks whether the visitor lets it in. */
function Answer({ asked: { uuid, application, redirectUri, responseType, scopes } }: { readonly asked: Asked }) {
  const change = useChange(deleteAssignedAuthorization, [listAssignedAuthorizations]);
  const query = new URLSearchParams({
    client_id: application.clientId,
    redirect_uri: redirectUri,
    response_type: responseType,
    scope: scopes.map(({ scope }) => scope).join(" "),
    assignment_uuid: uuid,
  });
  return (
    <>
      <a href={`/oauth/authorize?${query}`}>{words.asked.review}</a>
      <ConfirmedButton
        label={words.asked.decline}
        consequence={words.asked.declined(application.name)}
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
