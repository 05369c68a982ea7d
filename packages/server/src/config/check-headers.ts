import { UsageError } from "../cli/exit-code.ts";

/** Headers that the service sets in each request. */
const ownHeaders: ReadonlySet<string> = new Set(["content-type", "content-length", "host", "user-agent"]);

/**
 * Checks the headers of a setting. Messages contain no values, because these are often credentials.
 * @throws UsageError for a malformed header, and for one that the service sets
 */
export function checkHeaders(setting: string, given: Readonly<Record<string, string | readonly string[]>>): void {
  for (const [name, values] of Object.entries(given)) {
    if (!/^[!#$%&'*+.^_`|~0-9a-z-]+$/i.test(name) || [values].flat().some((value) => /[^\x20-\x7e]/.test(value))) {
      throw new UsageError(
        `${setting}: expected header names, and values in printable ASCII; one of them is malformed`,
      );
    }
    if (ownHeaders.has(name.toLowerCase())) throw new UsageError(`${setting}: the service sets ${name} itself`);
  }
}
