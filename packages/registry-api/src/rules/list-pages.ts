import { type Static, Type } from "typebox";
import type { OperationContext } from "../context.ts";
import type { PagedList, PageTokens } from "./page-tokens.ts";

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
