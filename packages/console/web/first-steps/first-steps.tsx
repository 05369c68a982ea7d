import { useQueryClient } from "@tanstack/react-query";
import type { FormEvent } from "react";
import { call } from "../api/call.ts";
import type { RegistryConfig } from "../api/registry-config.ts";
import { useOneAtATime } from "../api/use-one-at-a-time.ts";
import { Failure } from "../shared/failure.tsx";
import { TextField } from "../shared/fields.tsx";
import { texts } from "../texts/texts.ts";

const words = texts.firstSteps;

/** The page of a registry without accounts: creates the first one, and signs it in. */
export function FirstSteps({ config }: { readonly config: RegistryConfig }) {
  const queries = useQueryClient();
  const { superusers = [] } = config.first_user ?? {};
  const create = useOneAtATime({
    async mutationFn(form: FormData) {
      const [username, password] = [String(form.get("username")), String(form.get("password"))];
      const email = String(form.get("email"));
      await call("POST /user/initialize", { body: { username, password, email: email || undefined } });
      await call("POST /signin", { body: { username, password } });
    },
    onSettled: () => queries.invalidateQueries(),
  });
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    create.mutate(new FormData(event.currentTarget));
  };
  return (
    <main className="first-steps" id="content">
      <h1>{words.title(config.config.REGISTRY_TITLE)}</h1>
      <p>{words.why}</p>
      <p>{superusers.length > 0 ? words.superuser(superusers.join(", ")) : words.noSuperuser}</p>
      <form className="fields" onSubmit={submit}>
        <TextField
          name="username"
          label={words.username}
          required
          maxLength={255}
          autoComplete="username"
          defaultValue={superusers[0]}
        />
        <TextField name="email" label={words.email} type="email" autoComplete="email" />
        <TextField
          name="password"
          label={words.password}
          rule={words.passwordRule}
          type="password"
          required
          minLength={8}
          autoComplete="new-password"
        />
        {create.isError && <Failure error={create.error} />}
        <button type="submit" className="primary" disabled={create.isPending}>
          {create.isPending ? words.creating : words.create}
        </button>
      </form>
    </main>
  );
}
