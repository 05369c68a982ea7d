import type { ResultOf } from "../api/operation.ts";
import { IntervalField, LoginFields, TagsFields, typedUpstream } from "../mirrors/upstream-fields.tsx";
import type { Typed } from "../shared/change-form.tsx";
import { parseCommaList } from "../shared/comma-list.ts";
import { chosenOf, SelectField } from "../shared/select-field.tsx";
import { TextField } from "../shared/text-field.tsx";
import { texts } from "../texts/texts.ts";

const words = texts.organizationMirrors;

/** The mirror of an organization, as the management API shows it. */
export type ShownCatalog = ResultOf<"GET /organization/{orgname}/mirror">;

interface Props {
  readonly organization: string;
  /** The mirror to change; absent for a new one. */
  readonly mirror?: ShownCatalog;
}

/** The fields for the followed registry and the repositories to mirror. */
export function CatalogFields({ organization, mirror }: Props) {
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
export function typedCatalog(typed: Typed) {
  return {
    external_registry: typed("registry").trim(),
    repository_rule: parseCommaList(typed("repositories")),
    tag_rule: parseCommaList(typed("tags")),
    visibility: chosenOf(words.visibilities, typed("visibility")),
    ...typedUpstream(typed),
  };
}
