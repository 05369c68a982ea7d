import { useChange } from "../api/use-change.ts";
import { useOptional } from "../api/use-operation.ts";
import { ActionButton } from "../shared/action-button.tsx";
import { Answered } from "../shared/answered.tsx";
import { ChangeForm } from "../shared/change-form.tsx";
import { ConfirmedButton } from "../shared/confirmed-button.tsx";
import { EditForm } from "../shared/edit-form.tsx";
import { Fact } from "../shared/fact.tsx";
import { Section } from "../shared/section.tsx";
import { Time } from "../shared/time.tsx";
import { texts } from "../texts/texts.ts";
import { CatalogFields, type ShownCatalog, typedCatalog } from "./catalog-fields.tsx";
import { CatalogRepositories } from "./catalog-repositories.tsx";

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
