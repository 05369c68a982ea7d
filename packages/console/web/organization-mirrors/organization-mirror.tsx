import { Link } from "wouter";
import type { ResultOf } from "../api/operation.ts";
import { useChange } from "../api/use-change.ts";
import { useOptional } from "../api/use-operation.ts";
import { readAllRows, usePages } from "../api/use-pages.ts";
import { IntervalField, LoginFields, TagsFields, typedUpstream } from "../mirrors/upstream-fields.tsx";
import { repositoryPath } from "../places.ts";
import { ActionButton } from "../shared/action-button.tsx";
import { Answered } from "../shared/answered.tsx";
import { ChangeForm, type Typed } from "../shared/change-form.tsx";
import { ChosenButton, ConfirmedButton } from "../shared/confirmed-button.tsx";
import { EditForm } from "../shared/edit-form.tsx";
import { Fact } from "../shared/fact.tsx";
import { chosenOf, parseCommaList, SelectField, TextField } from "../shared/fields.tsx";
import { Paged } from "../shared/paged.tsx";
import { Section } from "../shared/section.tsx";
import { Table } from "../shared/table.tsx";
import type { Column } from "../shared/table-row.tsx";
import { Time, timeText } from "../shared/time.tsx";
import { texts } from "../texts/texts.ts";

const words = texts.organizationMirrors;

/** How often the state is fetched again, in milliseconds: while a read of the catalog is due, and otherwise. */
const [busyMs, idleMs] = [2000, 15_000] as const;

/** The registry that an organization follows, with its repositories; or a form that lets it follow one. */
export function OrganizationMirror({ organization }: { readonly organization: string }) {
  const params = { orgname: organization };
  const mirror = useOptional(
    "GET /organization/{orgname}/mirror",
    { params },
    { refetchInterval: ({ state: { data } }) => (isDue(data?.next_discovery) ? busyMs : idleMs) },
  );
  const removal = useChange("DELETE /organization/{orgname}/mirror", [
    "GET /organization/{orgname}/mirror",
    "GET /organization/{orgname}/mirror/repositories",
  ]);
  return (
    <Section title={words.title} about={words.about}>
      <Answered query={mirror}>
        {(shown) =>
          shown === null ? (
            <NewCatalog organization={organization} />
          ) : (
            <>
              <CatalogState organization={organization} mirror={shown} />
              <CatalogRepositories organization={organization} />
              <CatalogSettings organization={organization} mirror={shown} />
              <ConfirmedButton label={words.remove} consequence={words.removed} change={removal} given={{ params }} />
            </>
          )
        }
      </Answered>
    </Section>
  );
}

function isDue(next: string | null | undefined): boolean {
  return next != null && Date.parse(next) <= Date.now();
}

function NewCatalog({ organization }: { readonly organization: string }) {
  const change = useChange("POST /organization/{orgname}/mirror", ["GET /organization/{orgname}/mirror"]);
  return (
    <ChangeForm
      layout="fields"
      label={words.create}
      change={change}
      given={(typed) => ({ params: { orgname: organization }, body: typedCatalog(typed) })}
    >
      <CatalogFields organization={organization} />
    </ChangeForm>
  );
}

/** Changes the settings of an organization's mirror. */
function CatalogSettings({ organization, mirror }: { readonly organization: string; readonly mirror: ShownCatalog }) {
  const change = useChange("PUT /organization/{orgname}/mirror", ["GET /organization/{orgname}/mirror"]);
  return (
    <details>
      <summary>{words.settings}</summary>
      <EditForm
        layout="fields"
        label={words.save}
        change={change}
        given={(typed) => ({ params: { orgname: organization }, body: typedCatalog(typed) })}
        value={mirror}
        fields={(shown) => <CatalogFields organization={organization} mirror={shown} />}
      />
    </details>
  );
}

/** The result and the times of the last and the next read of the catalog, and a button that reads it now. */
function CatalogState({ organization, mirror }: { readonly organization: string; readonly mirror: ShownCatalog }) {
  const { discovery_status: status, discovery_message: message, last_discovery: last, next_discovery: next } = mirror;
  const discover = useChange("POST /organization/{orgname}/mirror/discover", ["GET /organization/{orgname}/mirror"]);
  return (
    <>
      <dl className="facts">
        <Fact name={words.registry}>{mirror.external_registry}</Fact>
        <Fact name={texts.mirrors.state}>
          <span role="status">
            {words.states[status]}
            {message !== "" && `: ${message}`} {!mirror.is_enabled && texts.mirrors.off}
          </span>
        </Fact>
        <Fact name={words.last}>{last === null ? texts.mirrors.none : <Time at={Date.parse(last)} />}</Fact>
        <Fact name={texts.mirrors.next}>{next === null ? texts.mirrors.none : <Time at={Date.parse(next)} />}</Fact>
      </dl>
      <ActionButton label={words.discover} change={discover} given={{ params: { orgname: organization } }} />
    </>
  );
}

/** The mirror of an organization, as the management API shows it. */
type ShownCatalog = ResultOf<"GET /organization/{orgname}/mirror">;

interface FieldsProps {
  readonly organization: string;
  /** The mirror to change; absent for a new one. */
  readonly mirror?: ShownCatalog;
}

/** The fields for the followed registry and the repositories to mirror. */
function CatalogFields({ organization, mirror }: FieldsProps) {
  return (
    <>
      <TextField
        name="registry"
        label={words.registry}
        rule={words.registryRule}
        required
        maxLength={256}
        defaultValue={mirror?.external_registry}
      />
      <TextField
        name="repositories"
        label={words.repositories}
        rule={words.repositoriesRule}
        required
        defaultValue={mirror?.repository_rule.join(", ") ?? "*"}
      />
      <TagsFields namespace={organization} tags={mirror?.tag_rule} mirror={mirror} />
      <SelectField
        name="visibility"
        label={words.visibility}
        options={words.visibilities}
        defaultValue={mirror?.visibility ?? "private"}
      />
      <IntervalField mirror={mirror} />
      <LoginFields mirror={mirror} />
    </>
  );
}

/** The values of these fields, as the body of a request. */
function typedCatalog(typed: Typed) {
  return {
    external_registry: typed("registry").trim(),
    repository_rule: parseCommaList(typed("repositories")),
    tag_rule: parseCommaList(typed("tags")),
    visibility: chosenOf(words.visibilities, typed("visibility")),
    ...typedUpstream(typed),
  };
}

type Repository = ResultOf<"GET /organization/{orgname}/mirror/repositories">["repositories"][number];

/** How often the list is fetched again, in milliseconds. */
const refetchEveryMs = 15_000;

/** The repositories of the followed catalog, with their state here. */
function CatalogRepositories({ organization }: { readonly organization: string }) {
  const given = { params: { orgname: organization }, query: {} };
  const repositories = usePages("GET /organization/{orgname}/mirror/repositories", given, {
    refetchInterval: refetchEveryMs,
  });
  const name: Column<Repository> = {
    title: words.columns.repository,
    text: ({ repository }) => repository ?? "",
    cell: ({ repository }) =>
      repository === null ? (
        "–"
      ) : (
        <Link href={`${repositoryPath(organization, repository)}?view=mirror`}>{repository}</Link>
      ),
  };
  return (
    <>
      <h3>{words.found}</h3>
      <Paged query={repositories}>
        {(pages) => (
          <Table
            columns={[external, name, ...others]}
            rows={pages.flatMap((page) => page.repositories)}
            keyOf={(each) => each.external_name}
            empty={words.none}
            choice={{
              mayChoose: ({ repository }) => repository !== null,
              actions: (chosen) => (
                <ChosenButton
                  label={texts.namespace.sync}
                  consequence={texts.namespace.synced(chosen.length)}
                  operation="POST /repository/{repository}/mirror/sync-now"
                  affected={["GET /organization/{orgname}/mirror/repositories", "GET /repository/{repository}/mirror"]}
                  given={chosen.map(({ repository }) => ({ params: { repository: `${organization}/${repository}` } }))}
                />
              ),
            }}
            file={{
              name: `${organization}-mirrored`,
              all: () =>
                readAllRows("GET /organization/{orgname}/mirror/repositories", given, (page) => page.repositories),
            }}
          />
        )}
      </Paged>
    </>
  );
}

const external: Column<Repository> = {
  title: words.columns.name,
  isName: true,
  cell: ({ external_name: name }) => name,
};

const others: readonly Column<Repository>[] = [
  {
    title: words.columns.state,
    isText: true,
    cell: ({ state, reason }) => `${words.became[state]}${reason === "" ? "" : `: ${reason}`}`,
  },
  {
    title: words.columns.changed,
    text: ({ changed }) => timeText(Date.parse(changed)),
    cell: ({ changed }) => <Time at={Date.parse(changed)} />,
  },
];
