import { useChange } from "../api/use-change.ts";
import { useOptional } from "../api/use-operation.ts";
import { Answered } from "../shared/answered.tsx";
import { ChangeForm } from "../shared/change-form.tsx";
import { ConfirmedButton } from "../shared/confirmed-button.tsx";
import { Section } from "../shared/section.tsx";
import { texts } from "../texts/texts.ts";
import { CatalogFields, typedCatalog } from "./catalog-fields.tsx";
import { CatalogRepositories } from "./catalog-repositories.tsx";
import { CatalogSettings } from "./catalog-settings.tsx";
import { CatalogState } from "./catalog-state.tsx";

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
