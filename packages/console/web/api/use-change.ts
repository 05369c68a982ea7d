import { type UseMutationResult, useMutation, useQueryClient } from "@tanstack/react-query";
import { useAskPassword } from "../shell/password-question.tsx";
import { ApiError } from "./api-error.ts";
import { call } from "./call.ts";
import type { Given, Operation, Parts } from "./operation.ts";

/** The operations whose answers a change makes old. */
type Affected = readonly Pick<Operation<never>, "id">[];

/**
 * A change by an operation. Where the registry wants the password once more, the visitor is asked for it, and the change is made
 * after that. What the change affects is asked again.
 */
export function useChange<Each extends Parts>(
  operation: Operation<Each>,
  affected: Affected,
): UseMutationResult<Each["result"], Error, Given<Each>> {
  const queries = useQueryClient();
  const askPassword = useAskPassword();
  return useMutation({
    async mutationFn(given) {
      try {
        return await call(operation, given);
      } catch (error) {
        if (!(error instanceof ApiError && error.code === "fresh_login_required")) throw error;
        await askPassword();
        return call(operation, given);
      }
    },
    onSuccess: () => Promise.all(affected.map(({ id }) => queries.invalidateQueries({ queryKey: [id] }))),
  });
}
