import type { FormEvent } from "react";
import { createInstallUser, listAllUsers } from "../api/generated/superuser.ts";
import { useChange } from "../api/use-change.ts";
import { Command } from "../shared/command.tsx";
import { Failure } from "../shared/failure.tsx";
import { TextField } from "../shared/text-field.tsx";
import { texts } from "../texts/texts.ts";

const words = texts.users;

/** Makes an account with a password that is made for it and shown once. */
export function NewUser() {
  const change = useChange(createInstallUser, [listAllUsers]);
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const form = event.currentTarget;
    const given = new FormData(form);
    const email = String(given.get("email"));
    const body = { username: String(given.get("username")), ...(email !== "" && { email }) };
    change.mutate({ body }, { onSuccess: () => form.reset() });
  };
  return (
    <>
      <form className="line" onSubmit={submit}>
        <TextField name="username" label={words.name} required maxLength={255} autoComplete="off" />
        <TextField name="email" type="email" label={words.email} autoComplete="off" />
        <button type="submit" className="primary" disabled={change.isPending}>
          {words.create}
        </button>
      </form>
      {change.isError && <Failure error={change.error} />}
      {change.data !== undefined && (
        <div className="notice" role="status">
          <p>{words.created(change.data.username)}</p>
          <Command line={change.data.password} />
        </div>
      )}
    </>
  );
}
