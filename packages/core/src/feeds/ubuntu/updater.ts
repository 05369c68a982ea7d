/**
 * A VEX document of Ubuntu: OpenVEX about one vulnerability.
 *
 * ```
 * { "@context", statements: [{ vulnerability: { name }, products: [{ "@id": purl }], status, justification?, impact_statement? }] }
 * ```
 * Affected packages and fixes are in Ubuntu's OSV records. VEX documents add sources that are not affected, and those under
 * investigation. `component_not_present` is for packages that a release does not have.
 *
 * @see https://github.com/canonical/ubuntu-security-notices
 */

import { ubuntuReleases } from "../../distributions/ubuntu.ts";
import { esmServices } from "../../ecosystems/linux/ubuntu-pro.ts";
import { ScanError } from "../../errors.ts";
import type { Advisory, AdvisoryRange } from "../../model/advisory.ts";
import {
  isAbsent,
  itemsAt,
  type JsonPlace,
  memberAt,
  optionalItemsAt,
  optionalStringAt,
  stringAt,
} from "../../model/json-place.ts";
import type { FeedItem } from "../../plugins/updater.ts";
import { findOsvEcosystem } from "../osv/ecosystems.ts";
import { type OsvScope, type OsvSource, osvAdvisories } from "../osv/record.ts";
import type { OvalVendor } from "../oval/definition.ts";
import { ovalItems } from "../oval/updater.ts";
import { documentItems } from "../shared/document-items.ts";
import { type FeedFile, feedFiles } from "../shared/feed-files.ts";
import type { FeedPart, FeedParts, ReadablePart } from "../shared/feed-parts.ts";
import type { FeedText } from "../shared/feed-text.ts";
import { type ReadPart, recordItems } from "../shared/malformed-feed.ts";
import { headOf } from "../shared/other-form.ts";
import { parseRecord } from "../shared/parse-record.ts";
import { readPage } from "../shared/read-page.ts";
import { recognized } from "../shared/recognized.ts";
import { unknownSeverity } from "../shared/scored-severity.ts";
import { snapshotUpdater } from "../shared/snapshot-updater.ts";
import { childrenNamed, findChild } from "../shared/xml-elements.ts";

const archives = ["osv/osv-all.tar.xz", "vex/vex-all.tar.xz"] as const;

/**
 * Imports Ubuntu's security data: from the archives of OSV records and of VEX documents on its site, or from an archive, a folder or one
 * document of either, or of OVAL. Ubuntu's priorities are the severities.
 * @see https://documentation.ubuntu.com/security/security-updates/
 */
export const ubuntuUpdater = snapshotUpdater({
  name: "ubuntu",
  location: "https://security-metadata.canonical.com/",
  scope: { partBytes: { ubuntu: 0 }, sharedBytes: 300e6 },
  revision: 3,
  findParts,
  items: (parts) => recognized(itemsOf(parts), { feed: "ubuntu", expected: "records" }),
});

/** The location itself if it is a document, archive or folder. The site's own address gives a web page or nothing. */
async function findParts(parts: FeedParts): Promise<readonly FeedPart[]> {
  const whole = await parts.find();
  if (whole !== undefined && (await readPage(whole)) === undefined) return [whole];
  const found: FeedPart[] = [];
  for (const name of archives) {
    const part = await parts.find(name);
    if (part === undefined) throw new ScanError("not_found", `expected ${name}, found none at the location`);
    found.push(part);
  }
  return found;
}

async function* itemsOf(parts: readonly ReadablePart[]): AsyncGenerator<FeedItem<Advisory>> {
  const reading = { wants: (name: string) => name.endsWith(".json"), isRecord: () => true, read: readDocument };
  for (const file of parts.flatMap(feedFiles)) {
    yield* (await isOval(file)) ? ubuntuOvalItems(file) : documentItems(file, reading);
  }
}

/** Reads a document: a record, a list of records or a VEX document. */
function readDocument({ bytes, location }: FeedText): readonly FeedItem<Advisory>[] {
  const document = parseRecord(bytes, location);
  const records = Array.isArray(document.value) ? itemsAt(document) : [document];
  return records.flatMap((record) =>
    recordItems(`${location}${record.path}`, (readPart) => readRecord(record, readPart)),
  );
}

function readRecord(record: JsonPlace, readPart: ReadPart): readonly Advisory[] {
  const isVex = memberAt(record, "@context").value !== undefined;
  return isVex ? vexAdvisories(record, readPart) : osvAdvisories(record, ubuntuSource(record), readPart);
}

/** Packages are binaries. The release is read from the platform, since no criterion contains it. */
const vendor: OvalVendor = {
  updater: "ubuntu",
  packageKind: "BINARY",
  ecosystemsOf: (_, metadata) =>
    childrenNamed(findChild(metadata, "affected"), "platform").flatMap(({ text }) => keysOf(text)),
};

/**
 * The advisories of an OVAL document; Ubuntu publishes one for each release. A fix in Ubuntu Pro (`1.2+esm1`) ends the affected range without being a
 * fix, because the document does not name the service that has it.
 * @see https://documentation.ubuntu.com/security/security-updates/oval/
 */
async function* ubuntuOvalItems(file: FeedFile): AsyncGenerator<FeedItem<Advisory>> {
  for await (const entry of ovalItems([file], vendor)) {
    yield entry.kind === "item" ? { kind: "item", item: forPlainRelease(entry.item) } : entry;
  }
}

/** Whether a file is an OVAL document: by its name, or by its first characters if it is the location itself. */
async function isOval(file: FeedFile): Promise<boolean> {
  if (file.name.endsWith(".xml")) return true;
  if (file.name !== "") return false;
  return (await headOf(file)).trimStart().startsWith("<");
}

function keysOf(platform: string): readonly string[] {
  const release = /^Ubuntu (\d+\.\d+)(?: LTS)?$/.exec(platform)?.[1];
  return release === undefined ? [] : [`ubuntu:${release}`];
}

function forPlainRelease(advisory: Advisory): Advisory {
  const ranges = advisory.ranges.map((range) => (/[+~]esm\d/.test(range.fixed ?? "") ? withoutFix(range) : range));
  return { ...advisory, ranges };
}

/**
 * The reading of a record of Ubuntu. Entries of `Ubuntu:Pro:16.04:LTS` also apply to the plain release: its packages are affected up to the
 * same version, but the fix is only for images with the service (`esm-infra`) in the package URL.
 */
function ubuntuSource(record: JsonPlace): OsvSource {
  const plain = plainEntries(record);
  return {
    updater: "ubuntu",
    wants: (family) => family === "Ubuntu",
    scopesOf: (ecosystem, affected) => scopesOf(ecosystem, affected, plain),
  };
}

const proRelease = /^Ubuntu:Pro:(\d+\.\d+)(?::LTS)?$/;

function scopesOf(ecosystem: string, affected: JsonPlace, plain: ReadonlySet<string>): readonly OsvScope[] {
  const release = proRelease.exec(ecosystem)?.[1];
  if (release === undefined) return [findOsvEcosystem(ecosystem) ?? []].flat();
  const key = `ubuntu:${release}`;
  const place = memberAt(affected, "package");
  const name = memberAt(place, "name").value;
  const service = readUbuntuPurl(optionalStringAt(memberAt(place, "purl")) ?? "")?.key;
  const hasPlainEntry = plain.has(`${key}/${name}`);
  return [
    ...(hasPlainEntry ? [] : [{ key, kind: "SOURCE", rangeOf: withoutFix } as const]),
    ...(service === undefined || service === key ? [] : [{ key: service, kind: "SOURCE" } as const]),
  ];
}

/** The packages of plain releases with their own entry. */
function plainEntries(record: JsonPlace): ReadonlySet<string> {
  const entries = optionalItemsAt(memberAt(record, "affected")).flatMap((affected) => {
    const { value } = affected;
    if (typeof value !== "object" || value === null || Array.isArray(value)) return [];
    const place = memberAt(affected, "package");
    if (isAbsent(place) || typeof place.value !== "object" || Array.isArray(place.value)) return [];
    const ecosystem = memberAt(place, "ecosystem").value;
    const key = typeof ecosystem === "string" ? findOsvEcosystem(ecosystem)?.key : undefined;
    return key === undefined ? [] : [`${key}/${memberAt(place, "name").value}`];
  });
  return new Set(entries);
}

/** The same range, with an end that is not a fix: in dpkg's order `1.2+esm1~` is directly below `1.2+esm1`. */
function withoutFix({ fixed, ...range }: AdvisoryRange): AdvisoryRange {
  return fixed === undefined ? range : { ...range, lastAffected: `${fixed}~` };
}

const statuses: ReadonlyMap<string, Advisory["status"]> = new Map([
  ["not_affected", "not-affected"],
  ["under_investigation", "undetermined"],
]);

/** The statements of a document about source packages. A malformed statement is skipped. @throws ScanError `malformed_feed` */
function vexAdvisories(document: JsonPlace, readPart: ReadPart): readonly Advisory[] {
  const advisories = itemsAt(memberAt(document, "statements")).flatMap(
    (place) => readPart(() => statementOf(place)) ?? [],
  );
  return [...new Map(advisories.map((advisory) => [advisory.id, advisory])).values()];
}

function statementOf(statement: JsonPlace): readonly Advisory[] {
  const name = stringAt(memberAt(memberAt(statement, "vulnerability"), "name"));
  const status = statuses.get(stringAt(memberAt(statement, "status")));
  const isAbsentPackage = optionalStringAt(memberAt(statement, "justification")) === "component_not_present";
  if (status === undefined || isAbsentPackage) return [];
  const description = optionalStringAt(memberAt(statement, "impact_statement"));
  const products = itemsAt(memberAt(statement, "products")).map((place) =>
    readUbuntuPurl(stringAt(memberAt(place, "@id"))),
  );
  return products.flatMap((product): readonly Advisory[] => {
    if (product?.arch !== "source") return [];
    return [
      {
        id: `ubuntu/vex/${name}/${product.key}/${product.name}`,
        updater: "ubuntu",
        name,
        aliases: [],
        ecosystem: product.key,
        packageName: product.name,
        packageKind: "SOURCE",
        status,
        ranges: [{}],
        versions: [],
        links: [`https://ubuntu.com/security/${name}`],
        description,
        ...unknownSeverity,
      },
    ];
  });
}

/** The package of an Ubuntu package URL. */
interface UbuntuPackage {
  readonly name: string;
  /** `source` or an architecture. */
  readonly arch: string;
  /** The key of advisories: `ubuntu:22.04`, `ubuntu:16.04:esm-infra`. */
  readonly key: string;
}

const services: ReadonlySet<string> = new Set(esmServices);

/**
 * Parses `pkg:deb/ubuntu/NAME@VERSION?arch=source&distro=[SERVICE/]CODENAME`. Undefined for other package URLs, for unknown releases, and for
 * services other than longer support (FIPS builds, real-time kernels).
 */
function readUbuntuPurl(purl: string): UbuntuPackage | undefined {
  const [, name = "", query = ""] = /^pkg:deb\/ubuntu\/([^@?#/]+)(?:@[^?#]*)?\?([^#]*)/.exec(purl) ?? [];
  const qualifiers = new Map(
    query.split("&").map((pair) => [pair.split("=", 1)[0], pair.slice(pair.indexOf("=") + 1)]),
  );
  const [codeName = "", service, ...more] = (qualifiers.get("distro") ?? "").split("/").reverse();
  const release = ubuntuReleases.get(codeName);
  if (release === undefined || more.length > 0 || (service !== undefined && !services.has(service))) return undefined;
  const key = service === undefined ? `ubuntu:${release}` : `ubuntu:${release}:${service}`;
  return { name, arch: qualifiers.get("arch") ?? "", key };
}
