/**
 * The distinct HTTP and HTTPS addresses among links of advisories, normalized; all others are omitted. Characters that browsers send
 * but RFC 3986 does not allow are percent-encoded, since schemas refuse them.
 */
export function webLinks(links: readonly string[]): readonly string[] {
  const found = links.flatMap((link) => {
    const url = URL.parse(link);
    return url !== null && /^https?:$/.test(url.protocol) && url.hostname !== "" ? [encoded(url)] : [];
  });
  return [...new Set(found)];
}

/** Brackets are allowed in hosts alone. */
function encoded({ href }: URL): string {
  const path = href.indexOf("/", href.indexOf("//") + 2);
  return href.slice(0, path) + href.slice(path).replace(/[[\]\\^`{|}]|%(?![\da-f]{2})/gi, encodeURIComponent);
}
