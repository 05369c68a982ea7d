import type { AccountRow } from "../access/queries.ts";
import type { CallContext } from "../context.ts";
import { type ListPage, type OrderBy, shownTotal } from "../lists/list-pages.ts";
import { formatPageToken, type PageTokens, pageOf, parsePageToken } from "../lists/page-tokens.ts";
import type { AccountKind } from "../store/tables/accounts.ts";
import { countAccounts, listAccounts } from "./queries.ts";

/** The most accounts on a page: the contract's maximum. */
export const accountsPerPage = 100;

/** The page of accounts that a caller requests. */
export interface AccountsQuery {
  /** How many at most; {@link accountsPerPage} where absent. */
  readonly limit?: number;
  readonly next_page?: string;
  /** False: only those that are enabled. */
  readonly disabled?: boolean;
  /** By id, as they were created, where absent. */
  readonly order?: OrderBy<"name">;
  /** A part of the name, in any case. */
  readonly find?: string;
  /** Whether all of them are counted. */
  readonly total?: boolean;
}

/** A page of accounts, and how many there are on all pages if that was asked for. */
export interface AccountPage extends ListPage<AccountRow> {
  readonly total?: number | undefined;
}

/** The accounts of a kind in the whole registry, without those that are being deleted. */
export async function listAllAccounts(
  { db, pageTokens, now }: CallContext,
  kind: AccountKind,
  { limit = accountsPerPage, next_page, disabled = true, order, find = "", total = false }: AccountsQuery,
): Promise<AccountPage> {
  const pages: PageTokens = { ...pageTokens, list: order === undefined ? "accounts" : `accounts of ${order}`, now };
  const [after] = parsePageToken(pages, next_page) ?? [];
  const wanted = { kind, disabled, find };
  const rows = await listAccounts(db, {
    ...wanted,
    limit: limit + 1,
    after: after === undefined ? undefined : String(after),
    order,
  });
  const page = pageOf(rows, limit, ({ id, username }) => formatPageToken(pages, [order === undefined ? id : username]));
  return { ...page, total: total ? shownTotal(await countAccounts(db, wanted)) : undefined };
}
