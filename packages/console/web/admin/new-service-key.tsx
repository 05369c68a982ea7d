import { useChange } from "../api/use-change.ts";
import { ChangeForm, type Typed } from "../shared/change-form.tsx";
import { CopyButton } from "../shared/copy-button.tsx";
import { TextField } from "../shared/text-field.tsx";
import { texts } from "../texts/texts.ts";

const words = texts.administration.keys;
const daySeconds = 86_400;

/** Creates a service key. Its private key is shown once. */
export function NewServiceKey() {
  const change = useChange("POST /superuser/keys", ["GET /superuser/keys"]);
  return (
    <>
      <ChangeForm label={words.create} change={change} given={(typed) => ({ body: typedKey(typed) })}>
        <TextField name="service" label={words.service} rule={words.serviceRule} required maxLength={255} />
        <TextField name="name" label={words.name} required maxLength={255} />
        <TextField name="days" label={words.days} type="number" min={1} />
        <TextField name="notes" label={words.notes} />
      </ChangeForm>
      {change.data !== undefined && (
        <div className="notice" role="status">
          <p>{words.made}</p>
          <pre>{change.data.private_key}</pre>
          <CopyButton text={change.data.private_key} />
        </div>
      )}
    </>
  );
}

function typedKey(typed: Typed) {
  const [days, notes] = [typed("days"), typed("notes")];
  return {
    service: typed("service"),
    name: typed("name"),
    expiration: days === "" ? null : Math.floor(Date.now() / 1000) + Number(days) * daySeconds,
    notes: notes || undefined,
  };
}
