import { type UseMutationResult, useMutation, useQueryClient } from "@tanstack/react-query";
import { useAskPassword } from "../shell/password-question.tsx";
import { texts } from "../texts/texts.ts";
import { ApiError, isConflict } from "./api-error.ts";
import { call, renewCsrfToken } from "./call.ts";
import { type CurrentUser, readUser, useCurrentUser } from "./current-user.ts";
import type { Given, Operation, Parts } from "./operation.ts";

/** The operations whose answers a change makes old. */
type Affected = readonly Pick<Operation<never>, "id">[];

/**
 * A change by an operation. Where the registry wants the password once more, or the session has ended, the visitor is asked for it, and the
 * change is made after that: what was typed is not lost. What the change affects is asked again, also where another was quicker.
 */
export function useChange<Each extends Parts>(
  operation: Operation<Each>,
  affected: Affected,
): UseMutationResult<Each["result"], Error, Given<Each>> {
  const queries = useQueryClient();
  const askPassword = useAskPassword();
  const user = useCurrentUser().data ?? undefined;
  const askAgain = () => Promise.all(affected.map(({ id }) => queries.invalidateQueries({ queryKey: [id] })));
  return useMutation({
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
    onSuccess: askAgain,
    onError: async (error) => {
      if (isConflict(error)) await askAgain(); // what is there now is shown beside what was to replace it
    },
  });
}

/**
 * Whether the browser has another session of the same user by now, as when another tab has signed in again.
 * @throws Error where it is another user's
 */
async function isAnotherSession({ username }: CurrentUser): Promise<boolean> {
  if (!(await renewCsrfToken())) return false;
  const now = await readUser();
  if (now !== null && now.username !== username) throw new Error(texts.password.otherUser(now.username));
  return now !== null;
}
