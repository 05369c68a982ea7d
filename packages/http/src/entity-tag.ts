import type { IncomingHttpHeaders } from "node:http";
import { RequestError } from "./errors.ts";

/** The entity tags of a header: any (`*`), or a list. */
type TagList = "*" | readonly string[];

/**
 * The result of a request's conditions: `met`, the request is handled; `unchanged`, the client has the current version (304); `failed`,
 * the current version is not the one that the client expects (412).
 */
export type ConditionsOutcome = "met" | "unchanged" | "failed";

/** The current state that conditions are judged against. */
export interface ConditionsTarget {
  /** The current entity tag without quotes; undefined if there is nothing yet, or if what there is has no entity tag. */
  readonly tag: string | undefined;
  /** Whether there is something, which `*` means. By default: if it has an entity tag. */
  readonly exists?: boolean;
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
 * modification date. What has no entity tag matches `*` and no list of tags.
 * @see https://www.rfc-editor.org/rfc/rfc9110#section-13.2.2
 * @example
 * judgeConditions({ "if-none-match": '"v1"' }, { tag: "v1", isRead: true }); // "unchanged"
 * judgeConditions({ "if-match": '"v1"' }, { tag: "v2", isRead: false }); // "failed"
 * judgeConditions({ "if-match": "*" }, { tag: undefined, exists: true, isRead: false }); // "met"
 * judgeConditions({}, { tag: "v1", isRead: true }); // "met"
 */
export function judgeConditions(headers: ConditionHeaders, target: ConditionsTarget): ConditionsOutcome {
  const { "if-match": match, "if-none-match": noneMatch } = headers;
  if (match !== undefined && !names(match, target, isStrong)) return "failed";
  if (noneMatch === undefined || !names(noneMatch, target, isWeak)) return "met";
  return target.isRead ? "unchanged" : "failed";
}

/**
 * Refuses a request if `If-Match` names other versions than the current one. `*` is met: the operation finds whether there is something.
 * `If-None-Match` is not judged.
 * @param tag the current entity tag without quotes; undefined if there is no version, which no tag can be
 * @throws RequestError `precondition_failed`
 * @see https://www.rfc-editor.org/rfc/rfc9110#section-13.1.1
 * @example
 * checkMatch({ "if-match": '"v1"' }, "v1");
 * checkMatch({ "if-match": "*" }, undefined);
 */
export function checkMatch({ "if-match": match }: ConditionHeaders, tag: string | undefined): void {
  if (match === undefined || names(match, { tag, exists: true, isRead: false }, isStrong)) return;
  const found = match.slice(0, 100);
  const message =
    tag === undefined
      ? `there is no version to compare with ${found}. Repeat the request without the condition`
      : `expected "${tag}", found ${found}: read it again, and repeat the request with its current ETag`;
  throw new RequestError("precondition_failed", `If-Match: ${message}`);
}

/**
 * Refuses `If-None-Match: *` of a change, where it is not known whether there is something that the change would replace. Tags are met:
 * none is that of what has no version.
 * @throws RequestError `precondition_failed`
 * @see https://www.rfc-editor.org/rfc/rfc9110#section-13.1.2
 * @example
 * checkOnlyNew({ "if-none-match": '"v1"' });
 */
export function checkOnlyNew({ "if-none-match": noneMatch }: ConditionHeaders): void {
  if (noneMatch === undefined || parseTags(noneMatch) !== "*") return;
  const message = "what is there has no version to compare. Repeat the request without the condition";
  throw new RequestError("precondition_failed", `If-None-Match: ${message}`);
}

type Compare = (tag: string, given: string) => boolean;

/** Whether a header names what there is. */
function names(header: string, { tag, exists }: ConditionsTarget, isSame: Compare): boolean {
  const given = parseTags(header);
  if (given === "*") return exists ?? tag !== undefined;
  return tag !== undefined && given.some((each) => isSame(tag, each));
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
  return names(header, { tag, isRead: true }, isWeak);
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
function isStrong(tag: string, given: string): boolean {
  return given === `"${tag}"`;
}

/** Weak comparison. */
function isWeak(tag: string, given: string): boolean {
  return given.replace(/^W\//, "") === `"${tag}"`;
}

/** The tags of a list with their quotes, and with `W/` before weak ones. Malformed tags are left out. */
function parseTags(header: string): TagList {
  if (header.trim() === "*") return "*";
  return header.match(/(?:W\/)?"[^"]*"/g) ?? [];
}
