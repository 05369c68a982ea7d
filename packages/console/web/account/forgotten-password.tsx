import { useChange } from "../api/use-change.ts";
import { ChangeForm, type Typed } from "../shared/change-form.tsx";
import { Section } from "../shared/section.tsx";
import { TextField } from "../shared/text-field.tsx";
import { texts } from "../texts/texts.ts";
import { useNextPage } from "./next-page.ts";

const words = texts.forgottenPassword;

/** Requests an e-mail with a link for choosing a new password. */
export function ForgottenPassword() {
  const change = useChange("POST /recovery", []);
  const next = useNextPage();
  const given = (typed: Typed) => ({ body: { email: typed("email"), next: next || undefined } });
  return (
    <Section title={words.title} about={words.about}>
      <ChangeForm label={words.send} change={change} given={given}>
        <TextField name="email" label={words.email} type="email" required autoComplete="email" />
      </ChangeForm>
      {change.isSuccess && <p role="status">{words.sent}</p>}
    </Section>
  );
}
