import { useChange } from "../api/use-change.ts";
import { EditForm } from "../shared/edit-form.tsx";
import { texts } from "../texts/texts.ts";
import { CatalogFields, type ShownCatalog, typedCatalog } from "./catalog-fields.tsx";

const words = texts.organizationMirrors;

/** Changes the settings of an organization's mirror. */
export function CatalogSettings({
  organization,
  mirror,
}: {
  readonly organization: string;
  readonly mirror: ShownCatalog;
}) {
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
