import type { AccountRow } from "../access/queries.ts";
import type { CallContext } from "../context.ts";
import type { OrderBy } from "../lists/list-pages.ts";
import { formatPageToken, type PageTokens, pageOf, parsePageToken } from "../lists/page-tokens.ts";
import type { AccountKind } from "../store/tables/accounts.ts";
import { listAccounts } from "./queries.ts";

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
}

/** The accounts of a kind in the whole registry, without those that are being deleted. */
export async function listAllAccounts(
  { db, pageTokens, now }: CallContext,
  kind: AccountKind,
  { limit = accountsPerPage, next_page, disabled = true, order }: AccountsQuery,
): Promise<{ readonly rows: readonly AccountRow[]; readonly next_page?: string }> {
  const pages: PageTokens = { ...pageTokens, list: order === undefined ? "accounts" : `accounts of ${order}`, now };
  const [after] = parsePageToken(pages, next_page) ?? [];
  const rows = await listAccounts(db, {
    kind,
    disabled,
    limit: limit + 1,
    after: after === undefined ? undefined : String(after),
    order,
  });
  return pageOf(rows, limit, ({ id, username }) => formatPageToken(pages, [order === undefined ? id : username]));
}
