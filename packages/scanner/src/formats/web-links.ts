/** The addresses of the web among links of advisories, in the form that browsers send; everything else is left out. */
export function webLinks(links: readonly string[]): readonly string[] {
  const found = links.flatMap((link) => {
    const url = URL.parse(link);
    return url !== null && /^https?:$/.test(url.protocol) && url.hostname !== "" ? [url.href] : [];
  });
  return [...new Set(found)];
}
