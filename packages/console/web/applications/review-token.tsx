import type { UseMutationResult } from "@tanstack/react-query";
import { Failure } from "../shared/failure.tsx";
import { texts } from "../texts/texts.ts";
import { isDangerous, type TokenRequest } from "./scopes.ts";

const { generate: words, scopes: labels } = texts.applications;

interface Props {
  readonly request: TokenRequest;
  readonly application: string;
  readonly user: string;
  readonly change: Pick<UseMutationResult<unknown>, "error" | "isPending">;
  readonly onAuthorize: () => void;
  readonly onBack: () => void;
}

/** The scopes of a token, to review before it is generated. */
export function ReviewToken({ request, application, user, change, onAuthorize, onBack }: Props) {
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
