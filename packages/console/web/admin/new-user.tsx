import { useChange } from "../api/use-change.ts";
import { ChangeForm, type Typed } from "../shared/change-form.tsx";
import { Command } from "../shared/command.tsx";
import { TextField } from "../shared/text-field.tsx";
import { texts } from "../texts/texts.ts";

const words = texts.users;

/** Creates an account with a generated password, which is shown once. */
export function NewUser() {
  const change = useChange("POST /superuser/users/", ["GET /superuser/users/"]);
  const given = (typed: Typed) => {
    const email = typed("email");
    return { body: { username: typed("username"), email: email || undefined } };
  };
  return (
    <>
      <ChangeForm label={words.create} change={change} given={given}>
        <TextField name="username" label={words.name} required maxLength={255} autoComplete="off" />
        <TextField name="email" type="email" label={words.email} autoComplete="off" />
      </ChangeForm>
      {change.data !== undefined && (
        <div className="notice" role="status">
          <p>{words.created(change.data.username)}</p>
          <Command line={change.data.password} />
        </div>
      )}
    </>
  );
}
