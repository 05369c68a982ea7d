import type { UseMutationResult } from "@tanstack/react-query";
import { type FormEvent, useState } from "react";
import { useCurrentUser } from "../api/current-user.ts";
import { useChange } from "../api/use-change.ts";
import { Command } from "../shared/copy-button.tsx";
import { Failure } from "../shared/failure.tsx";
import { TextField } from "../shared/fields.tsx";
import { Section } from "../shared/section.tsx";
import { texts } from "../texts/texts.ts";
import { isDangerous, type ShownApplication, scopes, type TokenRequest } from "./scopes.ts";

/** What the command is called where its line, which has the token, is not read aloud. */
const program = "curl";

const { generate: words, scopes: labels } = texts.applications;

interface Props {
  readonly organization: string;
  readonly application: ShownApplication;
}

/** Generates a token: the visitor selects scopes, reviews them and authorizes; then the token is shown once. */
export function GenerateToken({ organization, application }: Props) {
  const [request, setRequest] = useState<TokenRequest>({ name: "", scopes: [] });
  const [isReviewed, setReviewed] = useState(false);
  const change = useChange("POST /organization/{orgname}/applications/{client_id}/tokens", [
    "GET /organization/{orgname}/applications/{client_id}/tokens",
  ]);
  const user = useCurrentUser().data;
  const params = { orgname: organization, client_id: application.client_id };
  const review = (token: TokenRequest) => {
    change.reset();
    setRequest(token);
    setReviewed(true);
  };
  const authorize = () => {
    const body = { name: request.name, scope: request.scopes.join(" ") };
    const onSuccess = () => {
      setRequest({ name: "", scopes: [] });
      setReviewed(false);
    };
    change.mutate({ params, body }, { onSuccess });
  };
  return (
    <Section title={words.title} about={words.about}>
      {isReviewed ? (
        <ReviewToken
          request={request}
          application={application.name}
          user={user?.username ?? ""}
          change={change}
          onAuthorize={authorize}
          onBack={() => setReviewed(false)}
        />
      ) : (
        <TokenForm request={request} maySuperuse={user?.super_user === true} onReview={review} />
      )}
      {change.data !== undefined && <MadeToken token={change.data.token} />}
    </Section>
  );
}

function MadeToken({ token }: { readonly token: string }) {
  return (
    <div className="notice" role="status">
      <p>{words.shown}</p>
      <Command line={token} label={texts.credentials.secret} />
      <p>{words.use}</p>
      <Command
        line={`curl --header 'Authorization: Bearer ${token}' ${window.location.origin}/api/v1/user/`}
        label={program}
      />
    </div>
  );
}

interface TokenFormProps {
  /** The name and scopes that were chosen before. */
  readonly request: TokenRequest;
  /** Whether the visitor is a superuser: others cannot grant that scope. */
  readonly maySuperuse: boolean;
  readonly onReview: (token: TokenRequest) => void;
}

/** The form for a token's name and scopes. */
function TokenForm({ request, maySuperuse, onReview }: TokenFormProps) {
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

interface ReviewProps {
  readonly request: TokenRequest;
  readonly application: string;
  readonly user: string;
  readonly change: Pick<UseMutationResult<unknown>, "error" | "isPending">;
  readonly onAuthorize: () => void;
  readonly onBack: () => void;
}

/** The scopes of a token, to review before it is generated. */
function ReviewToken({ request, application, user, change, onAuthorize, onBack }: ReviewProps) {
  return (
    <div className="notice">
      <h3>{words.reviewTitle}</h3>
      <p>{words.reviewed(request.name, application, user)}</p>
      <ul>
        {request.scopes.map((scope) => (
          <li key={scope}>
            <strong>{labels[scope].title}</strong>: {labels[scope].description}
          </li>
        ))}
      </ul>
      {isDangerous(request.scopes) && <p className="failure">{words.dangerous}</p>}
      {change.error !== null && <Failure error={change.error} />}
      <div className="actions">
        <button type="button" className="primary" disabled={change.isPending} onClick={onAuthorize}>
          {words.authorize}
        </button>
        <button type="button" onClick={onBack}>
          {words.back}
        </button>
      </div>
    </div>
  );
}
