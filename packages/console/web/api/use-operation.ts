import { type UseQueryOptions, type UseQueryResult, useQuery } from "@tanstack/react-query";
import { call } from "./call.ts";
import type { Given, Operation, Parts } from "./operation.ts";

type Options<Result> = Pick<UseQueryOptions<Result>, "enabled" | "refetchInterval" | "placeholderData" | "staleTime">;

/** The key under which the answer of an operation is remembered. */
export function keyOf<Each extends Parts>(
  operation: Operation<Each>,
  given?: Partial<Given<Each>>,
): readonly unknown[] {
  return given === undefined ? [operation.id] : [operation.id, given];
}

/** The answer of an operation that reads, remembered by what was asked. */
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
