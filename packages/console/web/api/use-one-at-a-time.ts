import { type UseMutationOptions, type UseMutationResult, useMutation } from "@tanstack/react-query";
import { useRef } from "react";

/**
 * A mutation that runs once at a time: while it runs, another start waits for the same result. A disabled button alone is not enough, since
 * it is only disabled when it is drawn again: the second click of a double click would create a second token, and hide the first.
 */
export function useOneAtATime<Result, Given = void>(
  options: UseMutationOptions<Result, Error, Given>,
): UseMutationResult<Result, Error, Given> {
  const running = useRef<Promise<Result>>(undefined);
  const mutation = useMutation(options);
  const mutateAsync: typeof mutation.mutateAsync = (...started) => {
    running.current ??= mutation.mutateAsync(...started).finally(() => {
      running.current = undefined;
    });
    return running.current;
  };
  const mutate: typeof mutation.mutate = (...started) => {
    mutateAsync(...started).catch(() => {}); // the result has the error
  };
  return { ...mutation, mutate, mutateAsync };
}
