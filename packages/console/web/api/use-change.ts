import { type UseMutationResult, useQueryClient } from "@tanstack/react-query";
import { useAskPassword } from "../shell/password-question.tsx";
import { texts } from "../texts/texts.ts";
import { ApiError, isConflict } from "./api-error.ts";
import { call, renewCsrfToken } from "./call.ts";
import { type CurrentUser, type currentUserKey, readUser, useCurrentUser } from "./current-user.ts";
import type { Given, Operation, ResultOf } from "./operation.ts";
import { useOneAtATime } from "./use-one-at-a-time.ts";

/** The operations whose answers a change makes stale. */
type Affected = readonly (Operation | typeof currentUserKey)[];

/**
 * A change by an operation. If the registry requires the password again, or the session has ended, a dialog asks the visitor for it and
 * then repeats the change, so that no input is lost. Afterwards the affected answers are fetched again, also after a conflict.
 */
export function useChange<Each extends Operation>(
  operation: Each,
  affected: Affected,
): UseMutationResult<ResultOf<Each>, Error, Given<Each>> {
  const queries = useQueryClient();
  const askPassword = useAskPassword();
  const user = useCurrentUser().data ?? undefined;
  const refetchAffected = () => Promise.all(affected.map((each) => queries.invalidateQueries({ queryKey: [each] })));
  return useOneAtATime({
    async mutationFn(given) {
      try {
        return await call(operation, given);
      } catch (error) {
        if (!(error instanceof ApiError) || user === undefined) throw error;
        if (error.code === "fresh_login_required") await askPassword("fresh", user);
        else if (error.status === 401) await askPassword("ended", user);
        else if (error.status !== 403 || !(await isAnotherSession(user))) throw error;
        return call(operation, given);
      }
    },
    onSuccess: refetchAffected,
    onError: async (error) => {
      if (isConflict(error)) await refetchAffected(); // the current state is shown beside the visitor's input
    },
  });
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
