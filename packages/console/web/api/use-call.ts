import { type QueryClient, useQueryClient } from "@tanstack/react-query";
import { useAskPassword } from "../shell/ask-password.ts";
import { texts } from "../texts/texts.ts";
import { ApiError, reasonOf } from "./api-error.ts";
import { call, renewCsrfToken } from "./call.ts";
import { type CurrentUser, currentUserKey, readUser } from "./current-user.ts";
import type { Given, Operation, ResultOf } from "./operation.ts";

/** Calls an operation for the visitor: asks for the password where the registry requires it, and then calls again. */
export interface VisitorCalls {
  /** A change, by which no input is lost. Rejects with the console's own words if no password was entered. */
  change<Each extends Operation>(operation: Each, given: Given<Each>): Promise<ResultOf<Each>>;
  /** A first look; one in the background, of what is shown already, uses {@link call}, since a question would interrupt the visitor. */
  read<Each extends Operation>(operation: Each, given: Given<Each>, signal?: AbortSignal): Promise<ResultOf<Each>>;
}

/** The calls of a component. */
export function useVisitorCalls(): VisitorCalls {
  const queries = useQueryClient();
  const askPassword = useAskPassword();
  return {
    async change(operation, given) {
      try {
        return await call(operation, given);
      } catch (error) {
        const user = await userOf(queries);
        if (!(error instanceof ApiError) || user === null) throw error;
        const reason = reasonOf(error);
        if (reason !== undefined) await askPassword(reason, user);
        else if (error.status !== 403 || !(await isAnotherSession(user))) throw error;
        return call(operation, given);
      }
    },
    async read(operation, given, signal) {
      try {
        return await call(operation, given, signal);
      } catch (error) {
        const reason = reasonOf(error);
        const user = reason === undefined ? null : await userOf(queries);
        if (reason === undefined || user === null) throw error;
        await askPassword(reason, user).catch(() => Promise.reject(error)); // the page says what it needs, and has a button that asks again
        return call(operation, given, signal);
      }
    },
  };
}

/** The user who signed in, even if the session has ended since; null for an anonymous visitor. */
async function userOf(queries: QueryClient): Promise<CurrentUser | null> {
  return queries.ensureQueryData({ queryKey: [currentUserKey], queryFn: readUser }).catch(() => null);
}

/**
 * Whether the browser has a new session of the same user, because the user has signed in again in another tab.
 * @throws Error if the session is another user's
 */
async function isAnotherSession({ username }: CurrentUser): Promise<boolean> {
  if (!(await renewCsrfToken())) return false;
  const now = await readUser();
  if (now !== null && now.username !== username) throw new Error(texts.password.otherUser(now.username));
  return now !== null;
}
