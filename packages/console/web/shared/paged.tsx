import type { ReactNode } from "react";
import type { Pages } from "../api/use-pages.ts";
import { texts } from "../texts/texts.ts";
import { Answered } from "./answered.tsx";

interface Props<Page> {
  readonly query: Pages<Page>;
  readonly children: (pages: readonly Page[]) => ReactNode;
}

/** Shows the fetched pages of a list, and a button that fetches the next. */
export function Paged<Page>({ query, children }: Props<Page>) {
  const { hasNextPage, isFetchingNextPage, fetchNextPage } = query;
  return (
    <Answered query={query}>
      {({ pages }) => (
        <>
          {children(pages)}
          {hasNextPage && (
            <button type="button" disabled={isFetchingNextPage} onClick={() => fetchNextPage()}>
              {texts.namespace.more}
            </button>
          )}
        </>
      )}
    </Answered>
  );
}
