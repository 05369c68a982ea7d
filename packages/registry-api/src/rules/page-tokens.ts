import type { Sealer } from "../crypto/secrets.ts";

/** How long a page token can be used. */
const lifetimeMs = 2 * 86_400_000;

/** The key of the last row of a page, by which the next page begins after it. */
export type PageKey = readonly (string | number)[];

/** The token of the page after a row: opaque, and of no use to anybody for two days. */
export function formatPageToken(sealer: Sealer, key: PageKey, now: number): string {
  return sealer.seal(JSON.stringify({ key, until: now + lifetimeMs }));
}

/** The key in a token. One that is not of this registry or too old begins at the first page, as if none were given. */
export function parsePageToken(sealer: Sealer, token: string | undefined, now: number): PageKey | undefined {
  const text = token === undefined ? undefined : sealer.open(token);
  if (text === undefined) return undefined;
  const { key, until } = JSON.parse(text) as { readonly key: PageKey; readonly until: number };
  return until > now ? key : undefined;
}

/** One page of rows that were asked for with one more than fits, and the token of the next. */
export function pageOf<Row>(
  rows: readonly Row[],
  size: number,
  tokenAfter: (row: Row) => string,
): { readonly rows: readonly Row[]; readonly next_page?: string } {
  const page = rows.slice(0, size);
  const last = page.at(-1);
  return rows.length > size && last !== undefined ? { rows: page, next_page: tokenAfter(last) } : { rows: page };
}
