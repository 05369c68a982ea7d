import { type Static, Type } from "typebox";
import type { OperationContext } from "../context.ts";
import {
  formatPageToken,
  type PagedList,
  type PageKey,
  type PageTokens,
  pageOf,
  parsePageToken,
} from "./page-tokens.ts";

/** A list that the contract does not page is given whole up to so many rows, and beyond page by page. */
export const listLength = 1000;

/** What a list that is seldom longer than a page is asked for. */
export const ListPageQuery = Type.Object({
  next_page: Type.Optional(
    Type.String({
      maxLength: 2000,
      description: `The token that the page before gave; only where a list has over ${listLength} rows`,
    }),
  ),
});
export type ListPageQuery = Static<typeof ListPageQuery>;

/** What a list says besides its rows. */
export const nextPage = {
  next_page: Type.Optional(Type.String({ description: "The token of the next page, where there is one" })),
};

/** The pages of one list of one owner: a token of another owner's is of no use. */
export function listPages({ pageTokens, now }: OperationContext, list: PagedList, ownerId: string): PageTokens {
  return { sealer: pageTokens, list: `${list} of ${ownerId}`, now };
}

/** Reads one page of a list: `read` is given the key of the row before, and is to give one row more than fits. */
export async function readListPage<Row>(
  pages: PageTokens,
  { next_page }: ListPageQuery,
  {
    read,
    keyOf,
  }: {
    readonly read: (after: PageKey | undefined, limit: number) => Promise<readonly Row[]>;
    readonly keyOf: (row: Row) => PageKey;
  },
): Promise<{ readonly rows: readonly Row[]; readonly next_page?: string }> {
  const rows = await read(parsePageToken(pages, next_page), listLength + 1);
  return pageOf(rows, listLength, (row) => formatPageToken(pages, keyOf(row)));
}
