import { AlertIcon } from "@primer/octicons-react";
import { ApiError } from "../api/api-error.ts";
import { useCurrentUser } from "../api/current-user.ts";
import { SignInLink } from "../shell/sign-in-link.tsx";
import { texts } from "../texts/texts.ts";

/** An error: its message, its request id, and what to do. */
export function Failure({ error, retry }: { readonly error: unknown; readonly retry?: () => void }) {
  const isAnonymous = useCurrentUser({ retryOnMount: false }).data === null;
  const { message, requestId } = describe(error);
  const hasEnded = error instanceof ApiError && error.status === 401 && !isAnonymous;
  const mayNeedAccount = error instanceof ApiError && [401, 403, 404].includes(error.status) && isAnonymous;
  return (
    <div className="failure" role="alert">
      <p>
        <AlertIcon /> {message}
      </p>
      {hasEnded && (
        <p>
          {texts.failure.sessionEnded} <SignInLink isElsewhere />
        </p>
      )}
      {mayNeedAccount && (
        <p>
          {texts.failure.signInFirst} <SignInLink />
        </p>
      )}
      {requestId !== undefined && <p className="detail">{texts.failure.request(requestId)}</p>}
      {retry !== undefined && !mayNeedAccount && (
        <button type="button" onClick={retry}>
          {texts.failure.retry}
        </button>
      )}
    </div>
  );
}

function describe(error: unknown): { readonly message: string; readonly requestId: string | undefined } {
  if (!(error instanceof ApiError)) return { message: messageOf(error), requestId: undefined };
  const message = error.status === 404 ? texts.failure.notFound : error.message;
  return { message, requestId: error.requestId };
}

/** `fetch` throws a TypeError if it gets no answer; other errors are the console's own, with a message for the visitor. */
function messageOf(error: unknown): string {
  return error instanceof Error && !(error instanceof TypeError) ? error.message : texts.failure.offline;
}
