import type { FormEvent } from "react";
import { createAppToken, listAppTokens } from "../api/generated/appspecifictokens.ts";
import { useChange } from "../api/use-change.ts";
import { Credentials } from "../shared/credentials.tsx";
import { Failure } from "../shared/failure.tsx";
import { TextField } from "../shared/text-field.tsx";
import { texts } from "../texts/texts.ts";

const words = texts.appTokens;

/** Makes an app token, and shows how a program signs in with it. */
export function NewAppToken() {
  const change = useChange(createAppToken, [listAppTokens]);
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const form = event.currentTarget;
    const body = { title: String(new FormData(form).get("title")) };
    change.mutate({ body }, { onSuccess: () => form.reset() });
  };
  return (
    <>
      <form className="line" onSubmit={submit}>
        <TextField name="title" label={words.name} required maxLength={255} />
        <button type="submit" className="primary" disabled={change.isPending}>
          {words.create}
        </button>
      </form>
      {change.isError && <Failure error={change.error} />}
      {change.data !== undefined && <Credentials username="$app" secret={change.data.token.token_code} />}
    </>
  );
}
