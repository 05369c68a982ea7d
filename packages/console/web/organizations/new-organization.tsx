import { currentUserKey } from "../api/current-user.ts";
import { useChange } from "../api/use-change.ts";
import { ChangeForm, type Typed } from "../shared/change-form.tsx";
import { TextField } from "../shared/text-field.tsx";
import { texts } from "../texts/texts.ts";

const words = texts.organizations;

/** Creates an organization, which the visitor then administers. */
export function NewOrganization() {
  const change = useChange("POST /organization/", [currentUserKey]);
  const given = (typed: Typed) => {
    const email = typed("email");
    return { body: { name: typed("name"), email: email || undefined } };
  };
  return (
    <ChangeForm label={words.create} change={change} given={given}>
      <TextField name="name" label={words.name} required maxLength={255} />
      <TextField name="email" type="email" label={words.email} />
    </ChangeForm>
  );
}
