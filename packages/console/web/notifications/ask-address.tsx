import { useChange } from "../api/use-change.ts";
import { ChangeForm } from "../shared/change-form.tsx";
import { TextField } from "../shared/text-field.tsx";
import { texts } from "../texts/texts.ts";

const words = texts.notifications;

/** Asks the owner of an e-mail address to agree to notifications of a repository. */
export function AskAddress({ repository }: { readonly repository: string }) {
  const change = useChange("POST /repository/{repository}/authorizedemail/{email}", [
    "GET /repository/{repository}/authorizedemail/{email}",
  ]);
  return (
    <>
      <p>{words.askAbout}</p>
      <ChangeForm
        label={words.ask}
        change={change}
        given={(typed) => ({ params: { repository, email: typed("asked") } })}
      >
        <TextField name="asked" label={words.email} type="email" required />
      </ChangeForm>
      {change.data !== undefined && (
        <p role="status">{change.data.confirmed ? words.agreed(change.data.email) : words.asked(change.data.email)}</p>
      )}
    </>
  );
}
