import type { IncomingMessage } from "node:http";
import { remember } from "@plimsoll/http";

/** What the name of a field is compared with: raw headers are names and values in turn. */
const host = "host";

/**
 * A name, an address of IPv4, or one of IPv6 in brackets, then perhaps a port; it may be empty.
 * @see https://www.rfc-editor.org/rfc/rfc3986#section-3.2.2
 */
const hostForm = /^(?:\[[0-9a-z:.%]+\]|[\w.~%!$&'()*+,;=-]*)(?::\d*)?$/i;

const isHost = remember((value) => hostForm.test(value ?? ""));

/**
 * What is wrong with the `Host` of a request; undefined where nothing is. HTTP/1.1 demands one, and no version has several: two
 * servers on the way could each take another. Neither has a value that names no host.
 * @see https://www.rfc-editor.org/rfc/rfc9112#section-3.2
 */
export function hostProblem({
  httpVersion,
  rawHeaders,
}: Pick<IncomingMessage, "httpVersion" | "rawHeaders">): string | undefined {
  let found = 0;
  let value: string | undefined;
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const name = rawHeaders[at];
    if (name?.length !== host.length || name.toLowerCase() !== host) continue;
    found++;
    value = rawHeaders[at + 1];
  }
  if (found > 1) return `Host: expected one, found ${found}`;
  if (found === 1 && !isHost(value))
    return "Host: expected a name or an address, perhaps with a port, found another text";
  return found === 0 && httpVersion === "1.1" ? "Host: expected one, as HTTP/1.1 demands, found none" : undefined;
}
