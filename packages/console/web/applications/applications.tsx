import { useChange } from "../api/use-change.ts";
import { usePages } from "../api/use-pages.ts";
import { ChangeForm } from "../shared/change-form.tsx";
import { ConfirmedButton } from "../shared/confirmed-button.tsx";
import { Disclosure } from "../shared/disclosure.tsx";
import { Paged } from "../shared/paged.tsx";
import { useSearchParam } from "../shared/search-param.ts";
import { Section } from "../shared/section.tsx";
import { Table } from "../shared/table.tsx";
import type { Column } from "../shared/table-row.tsx";
import { texts } from "../texts/texts.ts";
import { Application } from "./application.tsx";
import { ApplicationFields, typedApplication } from "./application-fields.tsx";
import type { ShownApplication } from "./scopes.ts";

const words = texts.applications;

/** The OAuth applications of an organization, with details and tokens of the one in the address. */
export function Applications({ organization }: { readonly organization: string }) {
  const [chosen, choose] = useSearchParam("application");
  const applications = usePages("GET /organization/{orgname}/applications", {
    params: { orgname: organization },
    query: {},
  });
  const name: Column<ShownApplication> = {
    title: words.columns.name,
    isName: true,
    cell: ({ name: text, client_id: id }) => (
      <Disclosure isOpen={chosen === id} onToggle={() => choose(chosen === id ? "" : id)}>
        {text}
      </Disclosure>
    ),
  };
  const actions: Column<ShownApplication> = {
    title: words.columns.actions,
    cell: (application) => <Remove organization={organization} application={application} onDone={() => choose("")} />,
  };
  return (
    <>
      <Section title={words.title} about={words.about}>
        <NewApplication organization={organization} onDone={choose} />
        <Paged query={applications}>
          {(pages) => (
            <Table
              columns={[name, ...columns, actions]}
              rows={pages.flatMap((page) => page.applications)}
              keyOf={({ client_id: id }) => id}
              empty={words.none}
            />
          )}
        </Paged>
      </Section>
      {chosen !== "" && <Application key={chosen} organization={organization} clientId={chosen} />}
    </>
  );
}

interface RemoveProps {
  readonly organization: string;
  readonly application: ShownApplication;
  readonly onDone: () => void;
}

function Remove({ organization, application: { name, client_id: id }, onDone }: RemoveProps) {
  const change = useChange("DELETE /organization/{orgname}/applications/{client_id}", [
    "GET /organization/{orgname}/applications",
  ]);
  const given = { params: { orgname: organization, client_id: id } };
  return (
    <ConfirmedButton
      label={words.remove}
      consequence={words.removed(name)}
      change={change}
      given={given}
      onDone={onDone}
    />
  );
}

const columns: readonly Column<ShownApplication>[] = [
  { title: words.columns.client, cell: ({ client_id: id }) => <code>{id}</code> },
  { title: words.columns.home, cell: ({ application_uri: address }) => address || "–" },
];

interface Props {
  readonly organization: string;
  /** Called with the client id. */
  readonly onDone: (clientId: string) => void;
}

/** Creates an application. */
function NewApplication({ organization, onDone }: Props) {
  const change = useChange("POST /organization/{orgname}/applications", ["GET /organization/{orgname}/applications"]);
  const params = { orgname: organization };
  return (
    <ChangeForm
      label={texts.applications.create}
      change={change}
      given={(typed) => ({ params, body: typedApplication(typed) })}
      onDone={({ client_id: id }) => onDone(id)}
    >
      <ApplicationFields />
    </ChangeForm>
  );
}
