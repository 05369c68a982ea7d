import { type InfiniteData, type UseInfiniteQueryResult, useInfiniteQuery } from "@tanstack/react-query";
import { call } from "./call.ts";
import type { Given, Operation, Parts } from "./operation.ts";
import { keyOf } from "./use-operation.ts";

/** The types of an operation that answers a list in pages. */
interface PagedParts extends Parts {
  readonly query: { readonly next_page?: string };
  readonly result: { readonly next_page?: string };
}

/** The fetched pages of a list, and the function that fetches the next. */
export type Pages<Page> = UseInfiniteQueryResult<InfiniteData<Page>>;

/** Queries a list in pages; the pages are cached by the arguments of the operation. */
export function usePages<Each extends PagedParts>(
  operation: Operation<Each>,
  given: Given<Each>,
  { refetchInterval = false }: { readonly refetchInterval?: number | false } = {},
): Pages<Each["result"]> {
  const { query } = given as Pick<PagedParts, "query">;
  return useInfiniteQuery({
    queryKey: [...keyOf(operation, given as Partial<Given<Each>>), "pages"],
    queryFn: ({ pageParam, signal }) => {
      const next = pageParam === undefined ? {} : { query: { ...query, next_page: pageParam } };
      return call(operation, { ...given, ...next }, signal);
    },
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ next_page: next }: Each["result"]) => next,
    refetchInterval,
  });
}
