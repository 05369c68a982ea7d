import type { Updater } from "../../plugins/updater.ts";
import type { FeedPart, FeedParts } from "../shared/feed-parts.ts";
import { malformedFeed } from "../shared/malformed-feed.ts";
import { readPage } from "../shared/read-page.ts";
import { childText } from "../shared/xml-elements.ts";
import type { OvalRow } from "./criteria.ts";
import { ovalUpdater } from "./updater.ts";

/** Further documents, beside the one at the location. */
const otherDocuments = ["azurelinux-4.0-oval.xml", "cbl-mariner-2.0-oval.xml", "cbl-mariner-1.0-oval.xml"] as const;

/** Imports the vulnerabilities of Azure Linux and CBL-Mariner, from one document per release or a folder of documents. */
export const azurelinuxUpdater: Updater = ovalUpdater({
  location: "https://raw.githubusercontent.com/microsoft/AzureLinuxVulnerabilityData/main/azurelinux-3.0-oval.xml",
  scope: { partBytes: { azurelinux: 0, mariner: 0 }, sharedBytes: 60e6 },
  vendor: {
    updater: "azurelinux",
    packageKind: "SOURCE",
    ecosystemsOf,
    isWithdrawn: (metadata) => childText(metadata, "patchable")?.toLowerCase() === "not applicable",
  },
  findParts,
});

async function findParts(parts: FeedParts): Promise<readonly FeedPart[]> {
  const given = await parts.get();
  if (given.feed.kind === "folder") return [given];
  const others: FeedPart[] = [];
  for (const name of otherDocuments) {
    const part = await parts.find(name);
    if (part !== undefined) others.push(part);
  }
  return [given, ...others];
}

/** The release is only in the versions: `2.6.7-3.azl3`, `1.1.1k-5.cm2`. */
function ecosystemsOf({ package: { range } }: OvalRow): readonly string[] {
  const version = range?.fixed ?? range?.lastAffected ?? range?.introduced ?? "";
  const [, name, release] = /\.(azl|cm)(\d+)$/.exec(version) ?? [];
  return name === undefined ? [] : [`${name === "azl" ? "azurelinux" : "mariner"}:${release}.0`];
}

/** Imports Oracle Linux's errata: from the site's document of each year, a folder of documents, or one document. */
export const oracleUpdater: Updater = ovalUpdater({
  location: "https://linux.oracle.com/security/oval/",
  scope: { partBytes: { ol: 0 }, sharedBytes: 10e6 },
  vendor: {
    updater: "oracle",
    packageKind: "BINARY",
    ecosystemsOf: ({ products = [] }) => products.flatMap(oracleKeysOf),
  },
  findParts: (parts) =>
    findNumbered(parts, { first: 2007, last: 2106, nameOf: (year) => `com.oracle.elsa-${year}.xml.bz2` }),
});

function oracleKeysOf(product: string): readonly string[] {
  const version = /^Oracle Linux (\d+)$/.exec(product)?.[1];
  return version === undefined ? [] : [`ol:${version}`];
}

const photonJson = ": the feed photon-cve reads the JSON documents of Photon OS";

/** Imports Photon OS's advisories: from the site's document of each release, a folder of documents, or one document. */
export const photonUpdater: Updater = ovalUpdater({
  location: "https://packages.vmware.com/photon/photon_oval_definitions/",
  scope: { partBytes: { photon: 0 }, sharedBytes: 10e6 },
  vendor: {
    updater: "photon",
    packageKind: "BINARY",
    ecosystemsOf: ({ products = [] }) => products.flatMap(photonKeysOf),
  },
  otherForm: {
    wants: () => false, // in a folder, others may be documents of OVAL
    isForm: (head) => /^\s*[[{]/.test(head),
    // biome-ignore lint/correctness/useYield: it has no items
    async *items([file]) {
      throw malformedFeed(file?.location ?? "photon", `expected OVAL, found JSON${photonJson}`);
    },
  },
  otherFeed: photonJson,
  findParts: (parts) =>
    findNumbered(parts, { first: 1, last: 99, nameOf: (release) => `com.vmware.phsa-photon${release}.xml` }),
});

function photonKeysOf(product: string): readonly string[] {
  const version = /^Photon OS (\d+)(?:\.0)?$/.exec(product)?.[1];
  return version === undefined ? [] : [`photon:${version}.0`];
}

/** The number of consecutive missing documents that ends the search. */
const missesAllowed = 2;

/** Names of consecutively numbered documents: years, releases. */
interface NumberedDocuments {
  readonly first: number;
  readonly last: number;
  nameOf(number: number): string;
}

/** The location itself if it is a folder or a document; on a site, the numbered documents that exist. */
async function findNumbered(
  parts: FeedParts,
  { first, last, nameOf }: NumberedDocuments,
): Promise<readonly FeedPart[]> {
  const whole = await parts.find();
  if (whole !== undefined && (await readPage(whole)) === undefined) return [whole];
  const found: FeedPart[] = [];
  for (let number = first, misses = 0; number <= last && misses < missesAllowed; number++) {
    const part = await parts.find(nameOf(number));
    misses = part === undefined ? misses + 1 : 0;
    if (part !== undefined) found.push(part);
  }
  return found;
}
