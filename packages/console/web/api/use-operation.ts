import { type QueryFunctionContext, type UseQueryOptions, type UseQueryResult, useQuery } from "@tanstack/react-query";
import { ApiError } from "./api-error.ts";
import { call } from "./call.ts";
import type { Given, Operation, ResultOf } from "./operation.ts";
import { useVisitorCalls } from "./use-call.ts";

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
  const read = useRead<Each>();
  return useQuery({
    queryKey: keyOf(operation, given as Partial<Given<Each>>),
    queryFn: (context) => read(context)(operation, given, context.signal),
    ...options,
  });
}

/** Queries an operation whose subject may not exist; null if the registry answers 404. */
export function useOptional<Each extends Operation>(
  operation: Each,
  given: Given<Each>,
  options: Options<ResultOf<Each> | null> = {},
): UseQueryResult<ResultOf<Each> | null> {
  const read = useRead<Each>();
  return useQuery<ResultOf<Each> | null>({
    queryKey: [...keyOf(operation, given as Partial<Given<Each>>), "optional"],
    queryFn: async (context) => {
      try {
        return await read(context)(operation, given, context.signal);
      } catch (error) {
        if (error instanceof ApiError && error.status === 404) return null;
        throw error;
      }
    },
    ...options,
  });
}

/** How a query calls its operation: the first time with the password where it is required, in the background without a question. */
export function useRead<Each extends Operation>() {
  const { read } = useVisitorCalls();
  return ({ client, queryKey }: Pick<QueryFunctionContext, "client" | "queryKey">) =>
    client.getQueryData(queryKey) === undefined ? read<Each> : call<Each>;
}
