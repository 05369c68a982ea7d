import { useChange } from "../api/use-change.ts";
import { ChangeForm, type Typed } from "../shared/change-form.tsx";
import { chosenOf, SelectField } from "../shared/select-field.tsx";
import { TextField } from "../shared/text-field.tsx";
import { texts } from "../texts/texts.ts";

const words = texts.teams;

/** Creates a team with a role in the organization. */
export function NewTeam({ organization }: { readonly organization: string }) {
  const change = useChange("PUT /organization/{orgname}/team/{teamname}", ["GET /organization/{orgname}"]);
  const given = (typed: Typed) => ({
    params: { orgname: organization, teamname: typed("name") },
    body: { role: chosenOf(words.roles, typed("role")) },
    replaces: null,
  });
  return (
    <ChangeForm label={words.create} change={change} given={given}>
      <TextField name="name" label={words.name} required maxLength={255} />
      <SelectField name="role" label={words.role} options={words.roles} />
    </ChangeForm>
  );
}
