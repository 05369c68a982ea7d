/**
 * Removes credentials from the addresses in a text, for messages and logs: the user information before a host, the query and the
 * fragment. Passwords with characters that should have been escaped are removed, too. All other text is unchanged.
 *
 * @example
 * withoutCredentials("cannot reach https://me:sesame@example.com/a?token=sesame now"); // "cannot reach https://example.com/a now"
 */
export function withoutCredentials(text: string): string {
  if (!text.includes("://")) return text;
  return text
    .split(/(\s+|,(?=[a-z][a-z0-9+.-]{0,20}:\/\/))/i)
    .map(bareAddress)
    .join("");
}

function bareAddress(word: string): string {
  const at = word.indexOf("://");
  if (at < 0) return word;
  const [scheme, rest] = [word.slice(0, at + 3), word.slice(at + 3)];
  const host = rest.slice(userEnd(rest));
  const end = host.search(/[?#]/);
  return end < 0 ? scheme + host : scheme + host.slice(0, end) + closingMarks(host.slice(end));
}

/**
 * Where the host begins. A password may contain a slash by mistake, and the text before it then reads as a host with a port. So with a colon
 * before the first slash, everything before the last `@` is removed, except before the `@` of a digest.
 */
function userEnd(rest: string): number {
  const slash = rest.indexOf("/");
  const authority = slash < 0 ? rest : rest.slice(0, slash);
  const area = /[:?#]/.test(authority) ? rest : authority;
  let at = area.lastIndexOf("@");
  while (at >= 0 && /^@sha(?:256|512):/.test(rest.slice(at, at + 8))) at = area.lastIndexOf("@", at - 1);
  return at + 1;
}

/** The quotation marks, brackets and the like after an address. */
function closingMarks(text: string): string {
  let from = text.length;
  while (from > 0 && "\"'`)]}>,;:.".includes(text.charAt(from - 1))) from--;
  return text.slice(from);
}
