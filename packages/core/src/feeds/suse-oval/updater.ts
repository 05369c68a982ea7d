import type { Updater } from "../../plugins/updater.ts";
import { findOsvEcosystem } from "../osv/ecosystems.ts";
import { ovalUpdater } from "../oval/updater.ts";
import type { FeedPart, FeedParts } from "../shared/feed-parts.ts";
import { readPage } from "../shared/read-page.ts";
import { cvrfItems, isCvrfName } from "./cvrf.ts";

/**
 * Imports the vulnerabilities of SUSE Linux Enterprise and openSUSE: from the OVAL documents on an index page, a folder of documents, or one
 * document. A file, folder or archive may also contain security updates as CVRF.
 */
export const suseUpdater: Updater = ovalUpdater({
  location: "https://ftp.suse.com/pub/projects/security/oval/",
  scope: { partBytes: { "opensuse-leap": 0, "opensuse-tumbleweed": 0, "sle-micro": 0, sles: 0 }, sharedBytes: 250e6 },
  vendor: { updater: "suse", packageKind: "BINARY", ecosystemsOf: ({ products = [] }) => keysOf(products) },
  otherForm: {
    wants: (name) => name.endsWith(".xml") || isCvrfName(name),
    isForm: (head) => /<(?:\w+:)?cvrfdoc|^[^<]*\bcvrf-/.test(head),
    items: (files) => cvrfItems(files, (product) => keysOf([product])),
  },
  findParts,
});

async function findParts(parts: FeedParts): Promise<readonly FeedPart[]> {
  const whole = await parts.get();
  const page = await readPage(whole);
  if (page === undefined) return [whole];
  const found: FeedPart[] = [];
  for (const name of suseDocuments(page)) found.push(await parts.get(name));
  return found;
}

/** Product names are those of OSV. Several modules belong to one release. */
function keysOf(products: readonly string[]): readonly string[] {
  const keys = products.map((product) => {
    const [, family, release] = /^(SUSE|openSUSE) (.+)$/s.exec(product) ?? [];
    return family === undefined ? undefined : findOsvEcosystem(`${family}:${release}`)?.key;
  });
  return [...new Set(keys.filter((key) => key !== undefined))];
}

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
