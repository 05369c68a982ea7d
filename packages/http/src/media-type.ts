import { RequestError } from "./errors.ts";

/** One element of an `Accept` header. */
interface MediaRange {
  readonly type: string;
  readonly weight: number;
}

const token = "[!#$%&'*+.^_`|~0-9A-Za-z-]+";
const mediaType = new RegExp(`^(${token}/${token})\\s*((?:;.*)?)$`, "s");

/**
 * The offered media type that a client likes best: the first offered one when it has no wish, undefined when it accepts
 * none. `offered` is in our order of preference.
 *
 *     Accept = range *("," range);  range = type "/" subtype *(";" name "=" value) [";q=" weight]
 *
 * @throws RequestError `malformed_request`
 * @see https://www.rfc-editor.org/rfc/rfc9110#section-12.5.1
 */
export function negotiate(accept: string | undefined, offered: readonly string[]): string | undefined {
  if (accept === undefined || accept.trim() === "") return offered[0];
  const ranges = splitList(accept).map(parseRange);
  const refused = ranges.filter(({ weight, type }) => weight === 0 && !type.endsWith("/*"));
  const acceptable = offered.filter((type) => !refused.some((range) => range.type === type));
  for (const { type } of ranges.filter(({ weight }) => weight > 0).sort((a, b) => b.weight - a.weight)) {
    const found = acceptable.find((candidate) => covers(type, candidate));
    if (found !== undefined) return found;
  }
  return undefined;
}

/**
 * The media type of a `Content-Type` header, in lower case and without parameters; undefined when there is no header.
 * @throws RequestError `malformed_request`; `unsupported_media_type` for a character encoding other than UTF-8
 */
export function parseContentType(header: string | undefined): string | undefined {
  if (header === undefined || header.trim() === "") return undefined;
  const [, type = "", parameters = ""] = mediaType.exec(header.trim()) ?? [];
  if (type === "") throw malformed("Content-Type", header);
  const charset = /;\s*charset\s*=\s*"?([^";\s]+)/i.exec(parameters)?.[1];
  if (charset !== undefined && !/^utf-?8$/i.test(charset)) {
    throw new RequestError("unsupported_media_type", `Content-Type: expected charset utf-8, found ${charset}`);
  }
  return type.toLowerCase();
}

/** Splits a header at commas that are in no quoted string. One that is not closed lasts to the end. */
function splitList(header: string): string[] {
  const items = header.match(/(?:"(?:\\.|[^"\\])*\\?(?:"|$)|[^,"])+/gs) ?? [];
  return items.map((item) => item.trim()).filter((item) => item !== "");
}

function parseRange(item: string): MediaRange {
  const [, type = "", parameters = ""] = mediaType.exec(item) ?? [];
  if (type === "") throw malformed("Accept", item);
  const q = /;\s*q\s*=\s*([^;\s]*)/i.exec(parameters)?.[1];
  const weight = q === undefined ? 1 : Number(q === "" ? Number.NaN : q);
  if (!(weight >= 0 && weight <= 1)) throw malformed("Accept", item);
  return { type: type.toLowerCase(), weight };
}

function covers(range: string, type: string): boolean {
  return range === "*/*" || range === type || (range.endsWith("/*") && type.startsWith(range.slice(0, -1)));
}

function malformed(header: string, found: string): RequestError {
  return new RequestError(
    "malformed_request",
    `${header}: expected type/subtype, found ${JSON.stringify(found.slice(0, 100))}`,
  );
}
