/**
 * An erratum of AlmaLinux: the content of `updateinfo.xml` as JSON.
 *
 * ```
 * { updateinfo_id, type, severity?, description?, issued_date?: { $date }, references?: [{ href, id, type, title }],
 *   pkglist: { module?: { name, stream }, packages: [{ name, epoch?, version, release, arch }] } }
 * ```
 */
import { ScanError } from "../../errors.ts";
import type { Advisory } from "../../model/advisory.ts";
import {
  isAbsent,
  itemsAt,
  type JsonPlace,
  memberAt,
  membersAt,
  optionalItemsAt,
  optionalStringAt,
  stringAt,
} from "../../model/json-place.ts";
import type { FeedItem } from "../../plugins/updater.ts";
import { documentItems } from "../shared/document-items.ts";
import { feedFiles } from "../shared/feed-files.ts";
import type { FeedPart, FeedParts, ReadablePart } from "../shared/feed-parts.ts";
import type { FeedText } from "../shared/feed-text.ts";
import { recordItems } from "../shared/malformed-feed.ts";
import { parseRecord } from "../shared/parse-record.ts";
import { readPage } from "../shared/read-page.ts";
import { recognized } from "../shared/recognized.ts";
import { snapshotUpdater } from "../shared/snapshot-updater.ts";
import type { XmlElement } from "../shared/xml-elements.ts";
import { type UpdateVendor, updateAdvisories } from "../updateinfo/update.ts";

/** The releases that have errata. */
const releases = ["8", "9", "10"] as const;

const vendor: UpdateVendor = {
  updater: "alma",
  ecosystemOf: ({ release }) => (release === undefined ? undefined : `almalinux:${release}`),
  listsOneArch: true,
};

/**
 * Imports AlmaLinux's errata with their modules, from the site, a folder of documents or one document.
 * @see https://errata.almalinux.org
 */
export const almaUpdater = snapshotUpdater({
  name: vendor.updater,
  location: "https://errata.almalinux.org/",
  scope: { partBytes: { almalinux: 0 }, sharedBytes: 60e6 },
  revision: 1,
  findParts,
  items: (parts) => recognized(itemsOf(parts), { feed: vendor.updater, expected: "errata" }),
});

/** The location itself if it is a document or folder. The site's own address gives a web page or nothing. */
async function findParts(parts: FeedParts): Promise<readonly FeedPart[]> {
  const whole = await parts.find();
  if (whole !== undefined && (await readPage(whole)) === undefined) return [whole];
  const found: FeedPart[] = [];
  for (const release of releases) {
    const part = await parts.find(`${release}/errata.json`);
    if (part !== undefined) found.push(part);
  }
  if (found.length === 0) throw new ScanError("not_found", "expected errata of AlmaLinux, found none");
  return found;
}

async function* itemsOf(parts: readonly ReadablePart[]): AsyncGenerator<FeedItem<Advisory>> {
  const read = (document: FeedText) =>
    itemsAt(parseRecord(document.bytes, document.location)).flatMap((erratum) =>
      recordItems(`${document.location}${erratum.path}`, (readPart) =>
        updateAdvisories(erratumAsUpdate(erratum), vendor, readPart),
      ),
    );
  for (const file of parts.flatMap(feedFiles))
    yield* documentItems(file, { wants: (name) => name.endsWith(".json"), read });
}

/** Converts an erratum to the equivalent element `update`. @throws ScanError `malformed_feed` */
function erratumAsUpdate(erratum: JsonPlace): XmlElement {
  const pkglist = memberAt(erratum, "pkglist");
  const packages = itemsAt(memberAt(pkglist, "packages")).map((place) => element("package", textsOf(place)));
  const module = memberAt(pkglist, "module");
  const modules = isAbsent(module) ? [] : [element("module", textsOf(module))];
  const references = optionalItemsAt(memberAt(erratum, "references")).map((place) =>
    element("reference", textsOf(place)),
  );
  const text = (name: string, member: string) => textElement(name, optionalStringAt(memberAt(erratum, member)));
  const attributes = { type: stringAt(memberAt(erratum, "type")) };
  return element("update", attributes, [
    ...text("id", "updateinfo_id"),
    ...text("severity", "severity"),
    ...text("description", "description"),
    ...textElement("release", releaseOf(packages)),
    ...issuedOf(memberAt(erratum, "issued_date")),
    element("references", {}, references),
    element("pkglist", {}, [element("collection", {}, [...modules, ...packages])]),
  ]);
}

/** The release, which only the packages of an erratum state: `8` of the package release `10.el8_4.1`. */
function releaseOf(packages: readonly XmlElement[]): string | undefined {
  const found = packages.map(({ attributes }) => /\.(?:module_)?el(\d+)/.exec(attributes.release ?? "")?.[1]);
  return found.find((release) => release !== undefined);
}

function issuedOf(place: JsonPlace): readonly XmlElement[] {
  const instant = isAbsent(place) ? undefined : memberAt(place, "$date").value;
  if (typeof instant !== "number" || !(Math.abs(instant) < 8.64e15)) return [];
  return [element("issued", { date: new Date(instant).toISOString().slice(0, 19) })];
}

function textsOf(place: JsonPlace): Readonly<Record<string, string>> {
  const members = membersAt(place).flatMap(([name, { value }]) =>
    typeof value === "string" || typeof value === "number" ? [[name, String(value)] as const] : [],
  );
  return Object.fromEntries(members);
}

function textElement(name: string, text: string | undefined): readonly XmlElement[] {
  return text === undefined ? [] : [{ ...element(name, {}), text }];
}

function element(name: string, attributes: XmlElement["attributes"], children: readonly XmlElement[] = []): XmlElement {
  return { name, attributes, children, text: "" };
}
