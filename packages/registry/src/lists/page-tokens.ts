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
  | "images"
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

/** The request of a list. */
export interface AskedList {
  /** The id of its operation. */
  readonly operation: string;
  /** Its query without `next_page`. */
  readonly query: Readonly<Record<string, unknown>>;
}

/** What seals the tokens of pages. */
export interface PageSealing {
  readonly sealer: Sealer;
  /** The request that is answered. Its tokens carry its query, so that a request with the token alone goes on with the same list. */
  readonly asked?: AskedList;
}

/** The pages of one list, at an instant. */
export interface PageTokens extends PageSealing {
  /** The list, with its owner where each owner has a list of this kind. */
  readonly list: PagedList | `${PagedList} of ${string}`;
  readonly now: number;
}

/** The token of the page after a row: opaque, and valid for two days. */
export function formatPageToken({ sealer, asked, list, now }: PageTokens, key: PageKey): string {
  return sealer.seal(JSON.stringify({ list, key, until: now + lifetimeMs, asked } satisfies SealedPage));
}

/**
 * A request of a list, completed by its page token: a parameter that it does not give is as in the request of the page before. A token
 * of another operation, or one that cannot be read, completes nothing: {@link parsePageToken} refuses it.
 */
export function completeByToken({ sealer }: PageSealing, { operation, query }: AskedList): AskedList {
  const { next_page: token, ...given } = query;
  if (typeof token !== "string" || token === "") return { operation, query: given };
  const before = openToken(sealer, token)?.asked;
  return { operation, query: before?.operation === operation ? { ...before.query, ...given } : given };
}

/**
 * The key in a token; undefined for the first page, where no token is given or an empty one.
 * @throws RegistryError `invalid_request` for a token that is not of this list of this registry, or too old
 */
export function parsePageToken({ sealer, list, now }: PageTokens, token: string | undefined): PageKey | undefined {
  if (!token) return undefined;
  const sealed = openToken(sealer, token);
  if (sealed?.list !== list) throw invalidRequest("next_page: expected the token that the page before gave, as it was");
  if (sealed.until <= now) throw invalidRequest("next_page: the token is too old: begin at the first page");
  return sealed.key;
}

function openToken(sealer: Sealer, token: string): SealedPage | undefined {
  const text = sealer.open(token);
  return text === undefined ? undefined : (JSON.parse(text) as SealedPage);
}

interface SealedPage {
  readonly list: PageTokens["list"];
  readonly key: PageKey;
  readonly until: number;
  readonly asked: AskedList | undefined;
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
