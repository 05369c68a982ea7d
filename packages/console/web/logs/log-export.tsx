import { useChange } from "../api/use-change.ts";
import { ChangeForm, type Typed } from "../shared/change-form.tsx";
import { TextField } from "../shared/text-field.tsx";
import { texts } from "../texts/texts.ts";
import { type LogOwner, logCalls } from "./log-calls.ts";

const words = texts.logs.export;

interface Props {
  readonly owner: LogOwner;
  /** In the format of the management API. */
  readonly dates: { readonly starttime: string; readonly endtime: string };
}

/** Starts an export of a period's entries to a file, whose link is sent to an e-mail or web address. */
export function LogExport({ owner, dates }: Props) {
  const { export: operation, params } = logCalls(owner);
  const change = useChange(operation, []);
  return (
    <>
      <h3>{words.title}</h3>
      <p>{words.about}</p>
      <ChangeForm
        label={words.begin}
        change={change}
        given={(typed) => ({ params, query: dates, body: typedReceivers(typed) })}
      >
        <TextField name="email" label={words.email} type="email" maxLength={254} />
        <TextField name="url" label={words.url} type="url" maxLength={2000} />
      </ChangeForm>
      {change.data !== undefined && <p role="status">{words.begun(change.data.export_id)}</p>}
    </>
  );
}

function typedReceivers(typed: Typed) {
  const [email, url] = [typed("email"), typed("url")];
  return { callback_email: email || undefined, callback_url: url || undefined };
}
