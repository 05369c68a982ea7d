import type { Calls } from "@plimsoll/registry-api/calls";
import { type InfiniteData, type UseInfiniteQueryResult, useInfiniteQuery } from "@tanstack/react-query";
import type { Given, Operation, ResultOf } from "./operation.ts";
import { keyOf, useRead } from "./use-operation.ts";

/** The operations that answer a list in pages. */
type PagedOperation = {
  [Each in Operation]: ResultOf<Each> extends Paged ? (Calls[Each]["query"] extends Paged ? Each : never) : never;
}[Operation];

interface Paged {
  readonly next_page?: string;
}

/** The fetched pages of a list, and the function that fetches the next. */
export type Pages<Page> = UseInfiniteQueryResult<InfiniteData<Page>>;

/** Queries a list in pages; the pages are cached by the arguments of the operation. */
export function usePages<Each extends PagedOperation>(
  operation: Each,
  given: Given<Each>,
  { refetchInterval = false }: { readonly refetchInterval?: number | false } = {},
): Pages<ResultOf<Each>> {
  const { query } = given as { readonly query?: Paged };
  const read = useRead<Each>();
  return useInfiniteQuery({
    queryKey: [...keyOf(operation, given as Partial<Given<Each>>), "pages"],
    queryFn: ({ pageParam, ...context }) => {
      const next = pageParam === undefined ? {} : { query: { ...query, next_page: pageParam } };
      return read(context)(operation, { ...given, ...next }, context.signal);
    },
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ next_page: next }: ResultOf<Each>) => next,
    refetchInterval,
  });
}
