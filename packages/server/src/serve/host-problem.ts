import type { IncomingMessage } from "node:http";

/** What the name of a field is compared with: raw headers are names and values in turn. */
const host = "host";

/**
 * What is wrong with the `Host` of a request; undefined where nothing is. HTTP/1.1 demands one, and no version has several: two
 * servers on the way could each take another.
 * @see https://www.rfc-editor.org/rfc/rfc9112#section-3.2
 */
export function hostProblem({
  httpVersion,
  rawHeaders,
}: Pick<IncomingMessage, "httpVersion" | "rawHeaders">): string | undefined {
  let found = 0;
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const name = rawHeaders[at];
    if (name?.length === host.length && name.toLowerCase() === host) found++;
  }
  if (found > 1) return `Host: expected one, found ${found}`;
  return found === 0 && httpVersion === "1.1" ? "Host: expected one, as HTTP/1.1 demands, found none" : undefined;
}
