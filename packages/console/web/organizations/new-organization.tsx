import type { FormEvent } from "react";
import { currentUserKey } from "../api/current-user.ts";
import { createOrganization } from "../api/generated/organization.ts";
import { useChange } from "../api/use-change.ts";
import { Failure } from "../shared/failure.tsx";
import { TextField } from "../shared/text-field.tsx";
import { texts } from "../texts/texts.ts";

const words = texts.organizations;

/** Makes an organization, which the visitor then administers. */
export function NewOrganization() {
  const change = useChange(createOrganization, [{ id: currentUserKey }]);
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const form = event.currentTarget;
    const given = new FormData(form);
    const email = String(given.get("email"));
    const body = { name: String(given.get("name")), ...(email !== "" && { email }) };
    change.mutate({ body }, { onSuccess: () => form.reset() });
  };
  return (
    <>
      <form className="line" onSubmit={submit}>
        <TextField name="name" label={words.name} required maxLength={255} />
        <TextField name="email" type="email" label={words.email} />
        <button type="submit" className="primary" disabled={change.isPending}>
          {words.create}
        </button>
      </form>
      {change.isError && <Failure error={change.error} />}
    </>
  );
}
