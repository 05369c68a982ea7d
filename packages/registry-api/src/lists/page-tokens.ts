import type { Sealer } from "../crypto/secrets.ts";
import { invalidRequest } from "../errors.ts";

/** How long a page token can be used. */
const lifetimeMs = 2 * 86_400_000;

/** The key of the last row of a page, by which the next page begins after it. */
export type PageKey = readonly (string | number)[];

/** The lists that have pages. The token of one list is not valid in another. */
export type PagedList =
  | "accounts"
  | "app tokens"
  | "application tokens"
  | "applications"
  | "assignments"
  | "authorizations"
  | "collaborators"
  | "jobs"
  | "labels"
  | "logs"
  | "members"
  | "mirrored repositories"
  | "messages"
  | "notifications"
  | "prototypes"
  | "prune policies"
  | "referrers"
  | "repositories"
  | "repository tokens"
  | "robot permissions"
  | "robots"
  | "service keys"
  | "team members"
  | "team permissions"
  | "teams with roles"
  | "transitive roles"
  | "users with roles";

/** The pages of one list, at an instant. */
export interface PageTokens {
  readonly sealer: Sealer;
  /** The list, with its owner where each owner has a list of this kind. */
  readonly list: PagedList | `${PagedList} of ${string}`;
  readonly now: number;
}

/** The token of the page after a row: opaque, and valid for two days. */
export function formatPageToken({ sealer, list, now }: PageTokens, key: PageKey): string {
  return sealer.seal(JSON.stringify({ list, key, until: now + lifetimeMs }));
}

/**
 * The key in a token; undefined for the first page, where no token is given or an empty one.
 * @throws RegistryError `invalid_request` for a token that is not of this list of this registry, or too old
 */
export function parsePageToken({ sealer, list, now }: PageTokens, token: string | undefined): PageKey | undefined {
  if (!token) return undefined;
  const text = sealer.open(token);
  const sealed = text === undefined ? undefined : (JSON.parse(text) as SealedPage);
  if (sealed?.list !== list) throw invalidRequest("next_page: expected the token that the page before gave, as it was");
  if (sealed.until <= now) throw invalidRequest("next_page: the token is too old: begin at the first page");
  return sealed.key;
}

interface SealedPage {
  readonly list: PageTokens["list"];
  readonly key: PageKey;
  readonly until: number;
}

/** A page of rows that were read with a limit of one more than the page holds, and the token of the next page. */
export function pageOf<Row>(
  rows: readonly Row[],
  size: number,
  tokenAfter: (row: Row) => string,
): { readonly rows: readonly Row[]; readonly next_page?: string } {
  const page = rows.slice(0, size);
  const last = page.at(-1);
  return rows.length > size && last !== undefined ? { rows: page, next_page: tokenAfter(last) } : { rows: page };
}
