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
  const queries = useQueryClient();
  const { change } = useVisitorCalls();
  const refetchAffected = () => Promise.all(affected.map((each) => queries.invalidateQueries({ queryKey: [each] })));
  return useOneAtATime({
    mutationFn: (given) => change(operation, given),
    onSuccess: refetchAffected,
    onError: async (error) => {
      if (isConflict(error)) await refetchAffected(); // the current state is shown beside the visitor's input
    },
  });
}
