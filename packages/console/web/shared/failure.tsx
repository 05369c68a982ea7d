import { AlertIcon } from "@primer/octicons-react";
import { ApiError } from "../api/api-error.ts";
import { useCurrentUser } from "../api/current-user.ts";
import { SignInLink } from "../shell/sign-in-link.tsx";
import { texts } from "../texts/texts.ts";

/** An error: its message, its request id, and what to do. */
export function Failure({ error, retry }: { readonly error: unknown; readonly retry?: () => void }) {
  const isAnonymous = useCurrentUser({ retryOnMount: false }).data === null;
  const isOfPage = retry !== undefined; // otherwise, of a change
  const isAbsent = isMissing(error) || (isOfPage && isRefused(error));
  const message = isAbsent ? texts.failure.notFound : messageOf(error);
  const requestId = error instanceof ApiError ? error.requestId : undefined;
  const hasEnded = error instanceof ApiError && error.status === 401 && !isAnonymous;
  const mayNeedAccount = error instanceof ApiError && [401, 403, 404].includes(error.status) && isAnonymous;
  return (
    <div className="failure" role="alert">
      <p>
        <AlertIcon /> {message}
      </p>
      {hasEnded && (
        <p>
          {isOfPage ? texts.failure.sessionEnded : texts.failure.sessionEndedMeanwhile} <SignInLink isElsewhere />
        </p>
      )}
      {mayNeedAccount && (
        <p>
          {texts.failure.signInFirst} <SignInLink />
        </p>
      )}
      {requestId !== undefined && <p className="detail">{texts.failure.request(requestId)}</p>}
      {isOfPage && !mayNeedAccount && (
        <button type="button" onClick={retry}>
          {texts.failure.retry}
        </button>
      )}
    </div>
  );
}

function isMissing(error: unknown): boolean {
  return error instanceof ApiError && error.status === 404;
}

/** Whether the visitor has no permission. The registry says so of repositories that do not exist as well, so that names stay private. */
function isRefused(error: unknown): boolean {
  return error instanceof ApiError && error.code === "insufficient_scope";
}

/** `fetch` throws a TypeError if it gets no answer; other errors are the console's own, with a message for the visitor. */
function messageOf(error: unknown): string {
  return error instanceof Error && !(error instanceof TypeError) ? error.message : texts.failure.offline;
}
