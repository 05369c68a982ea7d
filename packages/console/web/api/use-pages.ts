import type { Calls } from "@plimsoll/registry-api/calls";
import { type InfiniteData, type UseInfiniteQueryResult, useInfiniteQuery } from "@tanstack/react-query";
import { call } from "./call.ts";
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
    // in another order or with another filter, the rows of before are shown until the new ones are there, so that the focus stays where it is
    placeholderData: (before, query) => (isSameList(query?.queryKey[1], given) ? before : undefined),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ next_page: next }: ResultOf<Each>) => next,
    refetchInterval,
  });
}

/** Whether two requests differ in nothing but the order of the list and what it is filtered by. */
function isSameList(one: unknown, other: unknown): boolean {
  const [text, otherText] = [one, other].map((given) => {
    return JSON.stringify({
      ...(given as object),
      query: { ...(given as { query?: object })?.query, order: undefined, kinds: undefined, find: undefined },
    });
  });
  return text === otherText;
}

/** The most rows that a file has. */
export const maxRows = 10_000;

/** The rows of all pages of a list, for a file; of a very long list the first. */
export async function readAllRows<Each extends PagedOperation, Row>(
  operation: Each,
  given: Given<Each>,
  rowsOf: (page: ResultOf<Each>) => readonly Row[],
): Promise<readonly Row[]> {
  const rows: Row[] = [];
  let next: string | undefined;
  do {
    const { query } = given as { readonly query?: Paged };
    const page = await call(operation, next === undefined ? given : { ...given, query: { ...query, next_page: next } });
    rows.push(...rowsOf(page));
    next = page.next_page;
  } while (next !== undefined && rows.length < maxRows);
  return rows.slice(0, maxRows);
}
