import Negotiator from "negotiator";
import { RequestError } from "./errors.ts";

/** Longer headers are rejected: no client lists that many media types. */
const maxAcceptLength = 4_096;

const token = "[!#$%&'*+.^_`|~0-9A-Za-z-]+";
const quoted = '"(?:[^"\\\\]|\\\\.)*"';
const mediaType = new RegExp(`^(${token}/${token})\\s*((?:;.*)?)$`, "s");

/** One element of a list, from the end of the last one. Old Java clients send `*` for `*\/*`. */
const element = new RegExp(
  `[\\s,]*(?:${token}/${token}|\\*)[ \\t]*(?:;[ \\t]*(?:${token}[ \\t]*=[ \\t]*(?:${token}|${quoted})[ \\t]*)?)*(?:,|$)`,
  "sy",
);
const weight = /;[ \t]*q[ \t]*=[ \t]*([^;, \t]*)/gi;

/**
 * Negotiates the media type: the offered one that the client prefers, the first one without `Accept`, or undefined if the client accepts
 * none. The most specific range that covers a type determines its weight. `offered` is in our order of preference.
 *
 *     Accept = range *("," range);  range = type "/" subtype *(";" name "=" value) [";q=" weight]
 *
 * @throws RequestError `malformed_request`
 * @see https://www.rfc-editor.org/rfc/rfc9110#section-12.5.1
 * @example
 * const offered = ["application/vnd.example+json", "application/json"];
 * negotiate("application/json, text/html;q=0.8", offered); // "application/json"
 * negotiate(undefined, offered); // "application/vnd.example+json"
 * negotiate("text/html", offered); // undefined
 */
export function negotiate(accept: string | undefined, offered: readonly string[]): string | undefined {
  if (accept === undefined || accept.trim() === "") return offered[0];
  checkAccept(accept);
  const negotiator = new Negotiator({ headers: { accept } });
  const [best] = negotiator.mediaTypes(offered.map((type) => `${type}${inUtf8}`));
  return best?.slice(0, -inUtf8.length);
}

/** All offered types are UTF-8, so `charset=utf-8` in `Accept` is ignored. */
const inUtf8 = "; charset=utf-8";

/** Rejects malformed headers. The library would ignore the malformed part, and the client would not notice its mistake. */
function checkAccept(accept: string): void {
  if (accept.length > maxAcceptLength) {
    throw new RequestError(
      "malformed_request",
      `Accept: expected at most ${maxAcceptLength} characters, found ${accept.length}`,
    );
  }
  for (let at = 0; at < accept.length; at = element.lastIndex) {
    element.lastIndex = at;
    const [found] = element.exec(accept) ?? [];
    if (found === undefined && /^[\s,]*$/.test(accept.slice(at))) return;
    if (found === undefined || !hasWeights(found)) throw malformed("Accept", accept.slice(at));
  }
}

function hasWeights(found: string): boolean {
  return [...found.matchAll(weight)].every(([, text = ""]) => /^(?:0?\.\d+|0\.?|1(?:\.0*)?)$/.test(text));
}

/**
 * Parses the media type of a `Content-Type` header: in lower case and without parameters; undefined without a header.
 * @throws RequestError `malformed_request`; `unsupported_media_type` for a character encoding other than UTF-8
 * @example
 * parseContentType('Application/JSON; charset="utf-8"'); // "application/json"
 * parseContentType(undefined); // undefined
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

function malformed(header: string, found: string): RequestError {
  return new RequestError(
    "malformed_request",
    `${header}: expected type/subtype, found ${JSON.stringify(found.slice(0, 100))}`,
  );
}
