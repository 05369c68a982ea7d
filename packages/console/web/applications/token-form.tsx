import { type FormEvent, useState } from "react";
import { TextField } from "../shared/text-field.tsx";
import { texts } from "../texts/texts.ts";
import { scopes, type TokenRequest } from "./scopes.ts";

const { generate: words, scopes: labels } = texts.applications;

interface Props {
  /** The name and scopes that were chosen before. */
  readonly request: TokenRequest;
  /** Whether the visitor is a superuser: others cannot grant that scope. */
  readonly maySuperuse: boolean;
  readonly onReview: (token: TokenRequest) => void;
}

/** The form for a token's name and scopes. */
export function TokenForm({ request, maySuperuse, onReview }: Props) {
  const [isEmpty, setEmpty] = useState(false);
  const offered = scopes.filter((scope) => scope !== "super:user" || maySuperuse);
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const given = new FormData(event.currentTarget);
    const ticked = given.getAll("scope");
    setEmpty(ticked.length === 0);
    if (ticked.length > 0) {
      onReview({ name: String(given.get("name")), scopes: offered.filter((scope) => ticked.includes(scope)) });
    }
  };
  return (
    <form className="fields" onSubmit={submit}>
      <TextField name="name" label={words.name} required maxLength={255} defaultValue={request.name} />
      <fieldset className="choices">
        <legend>{words.scopes}</legend>
        {offered.map((scope) => (
          <label key={scope} className="choice">
            <input type="checkbox" name="scope" value={scope} defaultChecked={request.scopes.includes(scope)} />
            <span>
              {labels[scope].title}
              <small>{labels[scope].description}</small>
            </span>
          </label>
        ))}
      </fieldset>
      {isEmpty && (
        <p className="failure" role="alert">
          {words.tickOne}
        </p>
      )}
      <div className="actions">
        <button type="submit" className="primary">
          {words.review}
        </button>
      </div>
    </form>
  );
}
