/** Documents of releases that images are made of. Others are for desktops or add-on products, or repeat these. */
const document =
  /^((?:opensuse\.leap\.\d+\.\d+|opensuse\.tumbleweed|suse\.linux\.enterprise\.server\.\d+|suse\.linux\.(?:enterprise\.)?micro\.\d+\.\d+))(-affected)?\.xml\.gz$/;

/**
 * The OVAL documents to read of those that an index page links to. Of two documents for one release, the `-affected` one is read, because
 * it also lists unfixed vulnerabilities. Documents by patch instead of by vulnerability (`-patch`) are left out.
 */
export function suseDocuments(page: string): readonly string[] {
  const chosen = new Map<string, string>();
  for (const [, link = ""] of page.matchAll(/href="(?:[^"]*\/)?([\w.-]+)"/g)) {
    const [name, release, affected] = document.exec(link) ?? [];
    if (name === undefined || release === undefined) continue;
    if (affected !== undefined || !chosen.has(release)) chosen.set(release, name);
  }
  return [...chosen.values()].sort();
}
