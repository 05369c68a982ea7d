import { useChange } from "../api/use-change.ts";
import { ChangeForm } from "../shared/change-form.tsx";
import { Credentials } from "../shared/credentials.tsx";
import { TextField } from "../shared/text-field.tsx";
import { texts } from "../texts/texts.ts";

const words = texts.appTokens;

/** Creates an app token, and shows how a program signs in with it. */
export function NewAppToken() {
  const change = useChange("POST /user/apptoken", ["GET /user/apptoken"]);
  return (
    <>
      <ChangeForm label={words.create} change={change} given={(typed) => ({ body: { title: typed("title") } })}>
        <TextField name="title" label={words.name} required maxLength={255} />
      </ChangeForm>
      {change.data !== undefined && <Credentials username="$app" secret={change.data.token.token_code} />}
    </>
  );
}
