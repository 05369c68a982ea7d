import { type Static, Type } from "typebox";
import type { CallContext } from "../context.ts";
import {
  formatPageToken,
  type PagedList,
  type PageKey,
  type PageTokens,
  pageOf,
  parsePageToken,
} from "./page-tokens.ts";

/** The length of a page of a list that is not paged in the contract: only longer lists have a second page. */
export const listLength = 1000;

/** The most characters of a token. It holds the longest texts that the query of a list may have. */
const tokenLength = 4000;

/** The parameter that names the page of a list. */
export const PageToken = Type.String({
  maxLength: tokenLength,
  description: "The token that the page before gave; it carries the other parameters of that page",
});

/** The query of a list that rarely has more than one page. */
export const ListPageQuery = Type.Object({
  next_page: Type.Optional(
    Type.String({
      maxLength: tokenLength,
      description: `The token that the page before gave, which carries its parameters; only where a list has over ${listLength} rows`,
    }),
  ),
});
export type ListPageQuery = Static<typeof ListPageQuery>;

/** Members of a list's response besides its rows. */
export const nextPage = {
  next_page: Type.Optional(Type.String({ description: "The token of the next page, if there is one" })),
};

/** The page tokens of one owner's list. They are not valid for the lists of other owners. */
export function listPages(
  { pageTokens, now }: Pick<CallContext, "pageTokens" | "now">,
  list: PagedList,
  ownerId: string,
): PageTokens {
  return { ...pageTokens, list: `${list} of ${ownerId}`, now };
}

/** A list that is read in the order of its keys. */
export interface KeyedList<Row, Key extends PageKey> {
  readonly list: PagedList;
  readonly ownerId: string;
  readonly query: ListPageQuery;
  /** Comes before the key of every row. */
  readonly first: Key;
  readonly keyOf: (row: Row) => Key;
  /** Rows of a page; {@link listLength} where absent. */
  readonly length?: number;
}

/** One page of a list. */
export interface ListPage<Row> {
  readonly rows: readonly Row[];
  /** Only where there is more. */
  readonly next_page?: string;
}

/**
 * Reads one page of a list. A page begins after the key of the last row of the page before.
 * @param read reads rows in the order of their keys
 * @throws RegistryError `invalid_request` for a token that is not of this list
 */
export async function readListPage<Row, Key extends PageKey>(
  context: Pick<CallContext, "pageTokens" | "now">,
  { list, ownerId, query, first, keyOf, length = listLength }: KeyedList<Row, Key>,
  read: (from: ReadFrom<Key>) => Promise<readonly Row[]>,
): Promise<ListPage<Row>> {
  const pages = listPages(context, list, ownerId);
  const after = (parsePageToken(pages, query.next_page) as Key | undefined) ?? first; // sealed by this very list
  return pageOf(await read({ after, limit: length + 1 }), length, (row) => formatPageToken(pages, keyOf(row)));
}

/** The keys of a list that is ordered by id. */
export const byId = {
  first: [""] as readonly [id: string],
  keyOf: ({ id }: { readonly id: string }): readonly [id: string] => [id],
};

/** The rows of a page, sorted by name. */
export function byName<Row>(rows: readonly Row[], nameOf: (row: Row) => string): readonly Row[] {
  return [...rows].sort((a, b) => (nameOf(a) < nameOf(b) ? -1 : 1));
}

/** Where a read of a list begins, and how many rows it returns at most. */
export interface ReadFrom<Key> {
  /** The key of the row before. */
  readonly after: Key;
  readonly limit: number;
}

/** When a row was created, and its id: the key of lists in the order of creation. */
export type CreationKey = readonly [createdAt: number, id: string];

/** Comes before every row where the oldest is first. */
export const beforeOldest: CreationKey = [Number.MIN_SAFE_INTEGER, ""];

/** Comes before every row where the newest is first. */
export const beforeNewest: CreationKey = [Number.MAX_SAFE_INTEGER, ""];

/** The key of a row. */
export function creationKey({ created_at, id }: { readonly created_at: number; readonly id: string }): CreationKey {
  return [created_at, id];
}

/** The most rows of a list that are counted: a count reads all of them. */
export const maxCounted = 10_000;

/** The parameters of a list that choose its rows by name and count them. */
export const findParameters = {
  find: Type.Optional(
    Type.String({ maxLength: 255, description: "Only rows with this part in their name, in any case; Plimsoll's own" }),
  ),
  total: Type.Optional(
    Type.Boolean({ description: "With the number of rows on all pages, up to 10,000; Plimsoll's own" }),
  ),
};

/** The number of rows on all pages, among the members of a list's response. */
export const totalOfList = {
  total: Type.Optional(Type.Integer({ description: "On all pages; only if asked for, and of up to 10,000 rows" })),
};

/** The total that a list shows: none where there are more than are counted. */
export function shownTotal(count: number): number | undefined {
  return count > maxCounted ? undefined : count;
}

/** An order of a list: by a column, the smallest value first, or with `-` before the column the largest. */
export type OrderBy<Column extends string> = Column | `-${Column}`;

/** The parameter of a list that chooses its order. */
export function orderParameter<const Column extends string>(columns: readonly Column[], initial: string) {
  const orders = columns.flatMap((column) => [column, `-${column}`]);
  const description = `What the rows are ordered by, with - before it the largest first; ${initial} where absent; Plimsoll's own`;
  return Type.Optional(Type.Unsafe<Column | `-${Column}`>(Type.Enum(orders, { description })));
}

/** The column of an order, and its direction. */
export function readOrder<Column extends string>(order: OrderBy<Column>) {
  const isReversed = order.startsWith("-");
  return { column: order.slice(isReversed ? 1 : 0) as Column, direction: isReversed ? "desc" : "asc" } as const;
}
