import type { UseMutationResult } from "@tanstack/react-query";
import { Failure } from "../shared/failure.tsx";
import { texts } from "../texts/texts.ts";
import { type AskedToken, isDangerous } from "./scopes.ts";

const { generate: words, scopes: labels } = texts.applications;

interface Props {
  readonly asked: AskedToken;
  readonly application: string;
  readonly user: string;
  readonly change: Pick<UseMutationResult<unknown>, "error" | "isPending">;
  readonly onAuthorize: () => void;
  readonly onBack: () => void;
}

/** What a token may be used for, before it is made. */
export function ReviewToken({ asked, application, user, change, onAuthorize, onBack }: Props) {
  return (
    <div className="notice">
      <h3>{words.reviewTitle}</h3>
      <p>{words.reviewed(asked.name, application, user)}</p>
      <ul>
        {asked.scopes.map((scope) => (
          <li key={scope}>
            <strong>{labels[scope].title}</strong>: {labels[scope].description}
          </li>
        ))}
      </ul>
      {isDangerous(asked.scopes) && <p className="failure">{words.dangerous}</p>}
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
