import { type UseMutationResult, useQueryClient } from "@tanstack/react-query";
import { isConflict } from "./api-error.ts";
import type { currentUserKey } from "./current-user.ts";
import type { Given, Operation, ResultOf } from "./operation.ts";
import { useVisitorCalls } from "./use-call.ts";
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
  const { change } = useVisitorCalls();
  const refetchAffected = useRefetch(affected);
  return useOneAtATime({
    mutationFn: (given) => change(operation, given),
    onSuccess: refetchAffected,
    onError: async (error) => {
      if (isConflict(error)) await refetchAffected(); // the current state is shown beside the visitor's input
    },
  });
}

/**
 * The same change of several things, one after the other. It ends at the first that is refused; those before it stay changed, and the
 * affected answers are fetched again in any case, so that the page shows which they are.
 */
export function useChanges<Each extends Operation>(
  operation: Each,
  affected: Affected,
): UseMutationResult<void, Error, readonly Given<Each>[]> {
  const { change } = useVisitorCalls();
  return useOneAtATime({
    mutationFn: async (all) => {
      for (const given of all) await change(operation, given);
    },
    onSettled: useRefetch(affected),
  });
}

/** A function that fetches the answers of operations again. */
function useRefetch(affected: Affected): () => Promise<unknown> {
  const queries = useQueryClient();
  return () => Promise.all(affected.map((each) => queries.invalidateQueries({ queryKey: [each] })));
}
