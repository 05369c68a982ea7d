import { type UseQueryOptions, type UseQueryResult, useQuery } from "@tanstack/react-query";
import { ApiError } from "./api-error.ts";
import { call } from "./call.ts";
import type { Given, Operation, ResultOf } from "./operation.ts";

type Options<Result> = Pick<UseQueryOptions<Result>, "enabled" | "refetchInterval" | "placeholderData" | "staleTime">;

/** The cache key of an operation's answer. */
export function keyOf<Each extends Operation>(operation: Each, given?: Partial<Given<Each>>): readonly unknown[] {
  return given === undefined ? [operation] : [operation, given];
}

/** Queries an operation; the answer is cached by its arguments. */
export function useOperation<Each extends Operation>(
  operation: Each,
  given: Given<Each>,
  options: Options<ResultOf<Each>> = {},
): UseQueryResult<ResultOf<Each>> {
  return useQuery({
    queryKey: keyOf(operation, given as Partial<Given<Each>>),
    queryFn: ({ signal }) => call(operation, given, signal),
    ...options,
  });
}

/** Queries an operation whose subject may not exist; null if the registry answers 404. */
export function useOptional<Each extends Operation>(
  operation: Each,
  given: Given<Each>,
  options: Options<ResultOf<Each> | null> = {},
): UseQueryResult<ResultOf<Each> | null> {
  return useQuery<ResultOf<Each> | null>({
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
