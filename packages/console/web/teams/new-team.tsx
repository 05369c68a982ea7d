import type { FormEvent } from "react";
import { getOrganization } from "../api/generated/organization.ts";
import { updateOrganizationTeam } from "../api/generated/team.ts";
import { useChange } from "../api/use-change.ts";
import { Failure } from "../shared/failure.tsx";
import { SelectField } from "../shared/select-field.tsx";
import { TextField } from "../shared/text-field.tsx";
import { texts } from "../texts/texts.ts";

const words = texts.teams;
const roles = ["member", "creator", "admin"] as const;

/** Makes a team with a role in the organization. */
export function NewTeam({ organization }: { readonly organization: string }) {
  const change = useChange(updateOrganizationTeam, [getOrganization]);
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const form = event.currentTarget;
    const given = new FormData(form);
    const params = { orgname: organization, teamname: String(given.get("name")) };
    const role = roles.find((each) => each === given.get("role")) ?? "member";
    change.mutate({ params, body: { role } }, { onSuccess: () => form.reset() });
  };
  return (
    <>
      <form className="line" onSubmit={submit}>
        <TextField name="name" label={words.name} required maxLength={255} />
        <SelectField name="role" label={words.role} options={words.roles} />
        <button type="submit" className="primary" disabled={change.isPending}>
          {words.create}
        </button>
      </form>
      {change.isError && <Failure error={change.error} />}
    </>
  );
}
