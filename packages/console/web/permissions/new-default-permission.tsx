import { useState } from "react";
import { useChange } from "../api/use-change.ts";
import { ChangeForm, type Typed } from "../shared/change-form.tsx";
import { chosenOf, SelectField } from "../shared/select-field.tsx";
import { texts } from "../texts/texts.ts";
import { EntityField } from "./entity-field.tsx";

const { defaults: words, roles, role } = texts.permissions;

type Kind = keyof typeof words.kindOptions;

/** Grants a user, robot or team a role on each new repository. */
export function NewDefaultPermission({ organization }: { readonly organization: string }) {
  const [kind, setKind] = useState<Kind>("user");
  const change = useChange("POST /organization/{orgname}/prototypes", ["GET /organization/{orgname}/prototypes"]);
  const given = (typed: Typed) => {
    const creator = typed("creator");
    return {
      params: { orgname: organization },
      body: {
        role: chosenOf(roles, typed("role")),
        delegate: { name: typed("name"), kind: chosenOf(words.kindOptions, typed("kind")) },
        activating_user: creator !== "" ? { name: creator } : undefined,
      },
    };
  };
  return (
    <ChangeForm label={words.add} change={change} given={given} onDone={() => setKind("user")}>
      <SelectField name="kind" label={words.kind} options={words.kindOptions} onChoice={setKind} />
      <EntityField name="name" label={words.name} namespace={organization} kind={kind} />
      <SelectField name="role" label={role} options={roles} />
      <EntityField name="creator" label={words.creator} namespace={organization} isOptional />
    </ChangeForm>
  );
}
