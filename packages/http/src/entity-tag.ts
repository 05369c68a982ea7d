import type { IncomingHttpHeaders } from "node:http";

/** The entity tags of a header: any (`*`), or a list. */
type TagList = "*" | readonly string[];

/**
 * The result of a request's conditions: `met`, the request is handled; `unchanged`, the client has the current version (304); `failed`,
 * the current version is not the one that the client expects (412).
 */
export type ConditionsOutcome = "met" | "unchanged" | "failed";

/** The current state that conditions are judged against. */
export interface ConditionsTarget {
  /** The current entity tag without quotes; undefined if there is nothing yet. */
  readonly tag: string | undefined;
  /** Whether the request is a GET or a HEAD. */
  readonly isRead: boolean;
}

/** The headers that make a request conditional. */
export type ConditionHeaders = Pick<IncomingHttpHeaders, "if-match" | "if-none-match">;

/**
 * Whether a request has conditions, so that the current entity tag is needed.
 * @example
 * isConditional({ "if-match": '"v1"' }); // true
 * isConditional({}); // false
 */
export function isConditional(headers: ConditionHeaders): boolean {
  return headers["if-match"] !== undefined || headers["if-none-match"] !== undefined;
}

/**
 * Judges `If-Match` and then `If-None-Match`, the order of RFC 9110. Conditions on dates are ignored, as RFC 9110 requires without a
 * modification date.
 * @see https://www.rfc-editor.org/rfc/rfc9110#section-13.2.2
 * @example
 * judgeConditions({ "if-none-match": '"v1"' }, { tag: "v1", isRead: true }); // "unchanged"
 * judgeConditions({ "if-match": '"v1"' }, { tag: "v2", isRead: false }); // "failed"
 * judgeConditions({}, { tag: "v1", isRead: true }); // "met"
 */
export function judgeConditions(headers: ConditionHeaders, { tag, isRead }: ConditionsTarget): ConditionsOutcome {
  const { "if-match": match, "if-none-match": noneMatch } = headers;
  if (match !== undefined && !namesStrongly(parseTags(match), tag)) return "failed";
  if (noneMatch === undefined || tag === undefined || !noneMatchNames(noneMatch, tag)) return "met";
  return isRead ? "unchanged" : "failed";
}

/**
 * Whether an `If-None-Match` header names the entity tag `tag` (given without quotes): `*`, or a list of tags, compared
 * weakly.
 * @see https://www.rfc-editor.org/rfc/rfc9110#section-13.1.2
 * @example
 * noneMatchNames('"v1", W/"v2"', "v2"); // true
 * noneMatchNames(undefined, "v2"); // false
 */
export function noneMatchNames(header: string | undefined, tag: string): boolean {
  if (header === undefined) return false;
  const tags = parseTags(header);
  return tags === "*" || tags.some((each) => each.replace(/^W\//, "") === `"${tag}"`);
}

/**
 * Whether a `Range` header applies: if there is no `If-Range` header, or it has the entity tag `tag` (given without quotes), compared
 * strongly. A date never matches, because there is no modification date.
 * @see https://www.rfc-editor.org/rfc/rfc9110#section-13.1.5
 * @example
 * rangeCounts(undefined, "v1"); // true
 * rangeCounts('"v0"', "v1"); // false
 */
export function rangeCounts(ifRange: string | readonly string[] | undefined, tag: string): boolean {
  return ifRange === undefined || ifRange.toString().trim() === `"${tag}"`;
}

/** Strong comparison: a weak tag never matches. */
function namesStrongly(tags: TagList, tag: string | undefined): boolean {
  if (tag === undefined) return false;
  return tags === "*" || tags.includes(`"${tag}"`);
}

/** The tags of a list with their quotes, and with `W/` before weak ones. Malformed tags are left out. */
function parseTags(header: string): TagList {
  if (header.trim() === "*") return "*";
  return header.match(/(?:W\/)?"[^"]*"/g) ?? [];
}
