import { UsageError } from "../cli/exit-code.ts";

/** Headers that the service sets itself in each request. */
const ownHeaders: ReadonlySet<string> = new Set(["content-type", "content-length", "host", "user-agent"]);

/**
 * Checks the headers of a setting. Values are credentials as often as not: no message has one.
 * @throws UsageError for what is no header, and for those that the service sets itself
 */
export function checkHeaders(setting: string, given: Readonly<Record<string, string | readonly string[]>>): void {
  for (const [name, values] of Object.entries(given)) {
    if (!/^[!#$%&'*+.^_`|~0-9a-z-]+$/i.test(name) || [values].flat().some((value) => /[^\x20-\x7e]/.test(value))) {
      throw new UsageError(`${setting}: expected names of headers and values in printable ASCII, found others`);
    }
    if (ownHeaders.has(name.toLowerCase())) throw new UsageError(`${setting}: the service sets ${name} itself`);
  }
}
