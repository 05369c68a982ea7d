import { AlertIcon } from "@primer/octicons-react";
import { ApiError, reasonOf } from "../api/api-error.ts";
import { type CurrentUser, useCurrentUser } from "../api/current-user.ts";
import { type Reason, useAskPassword } from "../shell/ask-password.ts";
import { SignInLink } from "../shell/sign-in-link.tsx";
import { texts } from "../texts/texts.ts";

interface Props {
  readonly error: unknown;
  /** Asks for the page again; absent for an error of a change. */
  readonly retry?: () => void;
}

/** An error: its message, its request id, and what to do. */
export function Failure({ error, retry }: Props) {
  const user = useCurrentUser({ retryOnMount: false }).data;
  const isAnonymous = user === null;
  const isOfPage = retry !== undefined;
  const isAbsent = isMissing(error) || (isOfPage && isRefused(error));
  const reason = isAnonymous ? undefined : reasonOf(error);
  const ofError = isAbsent ? texts.failure.notFound : messageOf(error);
  const message = isOfPage && reason !== undefined ? forPassword[reason] : ofError;
  const requestId = error instanceof ApiError ? error.requestId : undefined;
  const mayNeedAccount = error instanceof ApiError && [401, 403, 404].includes(error.status) && isAnonymous;
  return (
    <div className="failure" role="alert">
      <p>
        <AlertIcon /> {message}
      </p>
      {!isOfPage && reason === "ended" && (
        <p>
          {texts.failure.sessionEndedMeanwhile} <SignInLink isElsewhere />
        </p>
      )}
      {mayNeedAccount && (
        <p>
          {texts.failure.signInFirst} <SignInLink />
        </p>
      )}
      {requestId !== undefined && <p className="detail">{texts.failure.request(requestId)}</p>}
      {isOfPage && reason !== undefined && user && <EnterPassword reason={reason} user={user} then={retry} />}
      {isOfPage && reason === undefined && !mayNeedAccount && !isAbsent && (
        <button type="button" onClick={retry}>
          {texts.failure.retry}
        </button>
      )}
    </div>
  );
}

/** What a page says that needs the password. */
const forPassword = { fresh: texts.failure.passwordFirst, ended: texts.failure.sessionEnded };

interface EnterPasswordProps {
  readonly reason: Reason;
  readonly user: CurrentUser;
  readonly then: () => void;
}

function EnterPassword({ reason, user, then }: EnterPasswordProps) {
  const askPassword = useAskPassword();
  const ask = () => askPassword(reason, user).then(then, () => {}); // who gives no password stays here
  return (
    <button type="button" className="primary" onClick={ask}>
      {texts.failure.enterPassword}
    </button>
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
