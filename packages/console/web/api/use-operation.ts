import { type UseQueryOptions, type UseQueryResult, useQuery } from "@tanstack/react-query";
import { ApiError } from "./api-error.ts";
import { call } from "./call.ts";
import type { Given, Operation, Parts } from "./operation.ts";

type Options<Result> = Pick<UseQueryOptions<Result>, "enabled" | "refetchInterval" | "placeholderData" | "staleTime">;

/** The cache key of an operation's answer. */
export function keyOf<Each extends Parts>(
  operation: Operation<Each>,
  given?: Partial<Given<Each>>,
): readonly unknown[] {
  return given === undefined ? [operation.id] : [operation.id, given];
}

/** Queries an operation; the answer is cached by its arguments. */
export function useOperation<Each extends Parts>(
  operation: Operation<Each>,
  given: Given<Each>,
  options: Options<Each["result"]> = {},
): UseQueryResult<Each["result"]> {
  return useQuery({
    queryKey: keyOf(operation, given as Partial<Given<Each>>),
    queryFn: ({ signal }) => call(operation, given, signal),
    ...options,
  });
}

/** Queries an operation whose subject may not exist; null if the registry answers 404. */
export function useOptional<Each extends Parts>(
  operation: Operation<Each>,
  given: Given<Each>,
  options: Options<Each["result"] | null> = {},
): UseQueryResult<Each["result"] | null> {
  return useQuery<Each["result"] | null>({
    queryKey: [...keyOf(operation, given as Partial<Given<Each>>), "optional"],
    queryFn: async ({ signal }) => {
      try {
        return await call(operation, given, signal);
      } catch (error) {
        if (error instanceof ApiError && error.status === 404) return null;
        throw error;
      }
    },
    ...options,
  });
}
