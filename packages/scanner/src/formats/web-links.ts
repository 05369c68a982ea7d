/** The distinct HTTP and HTTPS addresses among links of advisories, normalized; all others are omitted. */
export function webLinks(links: readonly string[]): readonly string[] {
  const found = links.flatMap((link) => {
    const url = URL.parse(link);
    return url !== null && /^https?:$/.test(url.protocol) && url.hostname !== "" ? [url.href] : [];
  });
  return [...new Set(found)];
}
