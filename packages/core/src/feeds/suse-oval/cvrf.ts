/**
 * A security update of SUSE in the Common Vulnerability Reporting Framework (CVRF).
 *
 * ```
 * cvrfdoc       = DocumentTracking DocumentReferences? ProductTree Vulnerability*
 * ProductTree   = … Relationship*     ProductReference: the package, `name-version-release`; RelatesToProductReference: the product;
 *                                     FullProductName with the ProductID of the pair
 * Vulnerability = CVE? Notes ProductStatuses Threats References
 * ProductStatuses = Status* of a Type with ProductID*; Threats = Threat* of a Type with a Description: "moderate"
 * ```
 * Packages are binaries, without epoch and architecture.
 *
 * @see https://www.icasi.org/cvrf-v1-1-dictionary-of-elements/
 */
import type { Advisory } from "../../model/advisory.ts";
import type { FeedItem } from "../../plugins/updater.ts";
import { documentItems } from "../shared/document-items.ts";
import type { FeedFile } from "../shared/feed-files.ts";
import type { FeedText } from "../shared/feed-text.ts";
import { malformedRecord, type ReadPart, recordItems } from "../shared/malformed-feed.ts";
import { normalizeSeverity } from "../shared/vendor-severity.ts";
import { childrenNamed, childText, findChild, type XmlElement, xmlElements } from "../shared/xml-elements.ts";

/** Whether a document or an archive of documents has this form, by its name. */
export function isCvrfName(name: string): boolean {
  return /(?:^|\/)cvrf[\w.:-]*\.(?:xml|tar)(?:\.(?:gz|bz2|xz|zst))?$/.test(name);
}

/**
 * The advisories of updates: one for each vulnerability and version of a package, of each release.
 * @throws ScanError `malformed_feed`
 */
export async function* cvrfItems(
  files: readonly FeedFile[],
  keysOf: (product: string) => readonly string[],
): AsyncGenerator<FeedItem<Advisory>> {
  for (const file of files) {
    const read = (document: FeedText) => readUpdate(document, keysOf);
    yield* documentItems(file, { wants: (name) => name.endsWith(".xml"), read });
  }
}

async function readUpdate(
  { bytes, location }: FeedText,
  keysOf: (product: string) => readonly string[],
): Promise<readonly FeedItem<Advisory>[]> {
  const parts: XmlElement[] = [];
  const selection = { root: "cvrfdoc", depth: 1, wants: () => true };
  for await (const element of xmlElements(inOrder(bytes), location, selection)) parts.push(element);
  const document = { name: "cvrfdoc", attributes: {}, children: parts, text: "" };
  const update = updateOf(document, keysOf);
  return childrenNamed(document, "Vulnerability").flatMap((vulnerability) => {
    const at = `${location}: ${childText(vulnerability, "CVE") ?? "a vulnerability without a CVE id"}`;
    return recordItems(at, (readPart) => advisoriesOf(vulnerability, update, readPart));
  });
}

async function* inOrder(bytes: Uint8Array) {
  yield bytes;
}

/** The common facts of the vulnerabilities of an update. */
interface SecurityUpdate {
  readonly id: string;
  readonly issuedAt: number;
  readonly links: readonly string[];
  /** By the id of a package in a product. */
  readonly packages: ReadonlyMap<string, UpdatedPackage>;
}

interface UpdatedPackage {
  /** `name-version-release`. */
  readonly build: string;
  /** The keys of its releases; none for products that no image is matched with. */
  readonly ecosystems: readonly string[];
}

function updateOf(document: XmlElement, keysOf: (product: string) => readonly string[]): SecurityUpdate {
  const tracking = findChild(document, "DocumentTracking");
  const id = childText(findChild(tracking, "Identification"), "ID");
  if (id === undefined) throw malformedRecord("an update without an id");
  const relationships = childrenNamed(findChild(document, "ProductTree"), "Relationship");
  return {
    id,
    issuedAt: Date.parse(childText(tracking, "InitialReleaseDate") ?? ""),
    links: linksOf(findChild(document, "DocumentReferences")).slice(0, 1),
    packages: new Map(
      relationships.map((relationship) => {
        const { ProductReference: build = "", RelatesToProductReference: product = "" } = relationship.attributes;
        const pair = findChild(relationship, "FullProductName")?.attributes.ProductID ?? "";
        return [pair, { build, ecosystems: keysOf(product) }];
      }),
    ),
  };
}

function linksOf(references: XmlElement | undefined): readonly string[] {
  const urls = childrenNamed(references, "Reference").map((reference) => childText(reference, "URL") ?? "");
  return urls.filter((url) => /^https?:\/\//.test(url));
}

function advisoriesOf(vulnerability: XmlElement, update: SecurityUpdate, readPart: ReadPart): readonly Advisory[] {
  const facts = factsOf(vulnerability, update);
  const statuses = childrenNamed(findChild(vulnerability, "ProductStatuses"), "Status");
  const fixed = statuses.filter(({ attributes }) => attributes.Type === "Fixed");
  const products = fixed.flatMap((status) => childrenNamed(status, "ProductID").map(({ text }) => text));
  const found = products.flatMap((product) => readPart(() => fixesOf(product, update)) ?? []);
  const distinct = new Map(found.map((fix) => [`${fix.ecosystem}/${fix.packageName}/${fix.fixed}`, fix]));
  return [...distinct].map(([key, { ecosystem, packageName, fixed }]) => ({
    id: `suse/${facts.name}/${update.id}/${key}`,
    updater: "suse",
    ...facts,
    ecosystem,
    packageName,
    packageKind: "BINARY",
    status: "affected",
    ranges: [{ fixed }],
    versions: [],
  }));
}

/** The version of a package with the fix, in one release. */
interface Fix {
  readonly ecosystem: string;
  readonly packageName: string;
  readonly fixed: string;
}

function fixesOf(product: string, { packages }: SecurityUpdate): readonly Fix[] {
  const found = packages.get(product);
  if (found === undefined)
    throw malformedRecord(`the product ${JSON.stringify(product)}, which is not in the product tree`);
  const [, packageName, fixed] = /^(.+)-([^-]+-[^-]+)$/.exec(found.build) ?? [];
  if (packageName === undefined || fixed === undefined)
    throw malformedRecord(`the package ${JSON.stringify(found.build)}, expected name-version-release`);
  return found.ecosystems.map((ecosystem) => ({ ecosystem, packageName, fixed }));
}

function factsOf(vulnerability: XmlElement, { id, issuedAt, links }: SecurityUpdate) {
  const impacts = childrenNamed(findChild(vulnerability, "Threats"), "Threat");
  const severity = childText(
    impacts.find(({ attributes }) => attributes.Type === "Impact"),
    "Description",
  );
  const description = childText(findChild(vulnerability, "Notes"), "Note");
  return {
    name: childText(vulnerability, "CVE") ?? id,
    aliases: [],
    description,
    issuedAt: issuedAt > 0 ? issuedAt : undefined,
    links: [...new Set([...links, ...linksOf(findChild(vulnerability, "References"))])],
    severity,
    normalizedSeverity: normalizeSeverity("suse", severity),
  };
}
