import { cpeEcosystem, releaseOnly } from "../../ecosystems/cpe/matcher.ts";
import { productNames } from "../../ecosystems/cpe/products.ts";
import { bestMetrics } from "../../enrichers/nvd/best-metrics.ts";
import { readNvdRecord } from "../../enrichers/nvd/cve-record.ts";
import type { Advisory, AdvisoryRange } from "../../model/advisory.ts";
import { type Cpe, formatCpe } from "../../model/cpe/format.ts";
import { any, findWildcards, notApplicable } from "../../model/cpe/wfn.ts";
import { type JsonPlace, memberAt, optionalItemsAt, optionalStringAt, stringAt } from "../../model/json-place.ts";
import type { RecordChange } from "../../plugins/updater.ts";
import type { ReadPart } from "../shared/malformed-feed.ts";
import { unknownSeverity, vectorSeverity } from "../shared/scored-severity.ts";
import { type AffectedProduct, affectedProducts } from "./configurations.ts";

/** The name of the feed. */
export const feedName = "nvd-cpe";

/**
 * The advisories of a vulnerability: one for each listed product, edition and certainty. None for a rejected vulnerability.
 * @throws ScanError `malformed_feed` where there is no CVE id
 */
export function nvdAdvisories(place: JsonPlace, readPart: ReadPart): RecordChange<Advisory> {
  const { cve: record, metrics } = readNvdRecord(place, readPart);
  const cve = memberAt(place, "cve");
  if (optionalStringAt(memberAt(cve, "vulnStatus")) === "Rejected")
    return { record, items: readPart.leaveOut("withdrawn") };
  const isListed = ({ part, vendor, product }: AffectedProduct["name"]) =>
    part === "a" && productNames(`${vendor}:${product}`).length > 0;
  const statements = groupAlike(affectedProducts(cve, isListed, readPart));
  if (statements.length === 0) return { record, items: readPart.leaveOut("other-ecosystem") };
  const [best] = bestMetrics(metrics);
  const shared = { ...factsOf(cve, record, readPart), ...(best && vectorSeverity(best.vector)) };
  return { record, items: statements.map((said) => ({ ...unknownSeverity, ...shared, ...ruleOf(record, said) })) };
}

type Facts = Pick<Advisory, "name" | "aliases" | "updater" | "links" | "description" | "issuedAt">;

function factsOf(cve: JsonPlace, name: string, readPart: ReadPart): Facts {
  const texts = readPart(() => optionalItemsAt(memberAt(cve, "descriptions"))) ?? [];
  const english = texts.find((text) => memberAt(text, "lang").value === "en");
  const description = english && readPart(() => stringAt(memberAt(english, "value")));
  const published = readPart(() => optionalStringAt(memberAt(cve, "published"))) ?? "";
  const issuedAt = Date.parse(/[Zz]$/.test(published) ? published : `${published}Z`);
  const references = readPart(() => optionalItemsAt(memberAt(cve, "references"))) ?? [];
  const urls = references.flatMap((reference) => readPart(() => stringAt(memberAt(reference, "url"))) ?? []);
  return {
    name,
    aliases: [],
    updater: feedName,
    links: [
      ...new Set([`https://nvd.nist.gov/vuln/detail/${name}`, ...urls.filter((url) => /^https?:\/\//.test(url))]),
    ],
    description,
    issuedAt: issuedAt > 0 ? issuedAt : undefined,
  };
}

/** The affected versions of a product, or of an edition of it. */
interface Statement {
  readonly cpe: Cpe;
  readonly isCertain: boolean;
  readonly ranges: AdvisoryRange[];
  readonly versions: string[];
}

function groupAlike(products: readonly AffectedProduct[]): readonly Statement[] {
  const statements = new Map<string, Statement>();
  for (const product of products) {
    const versions = versionsOf(product);
    if (versions === undefined) continue;
    const { name, isCertain } = product;
    const cpe = formatCpe(versions.isWhole ? name : { ...name, version: any, update: any });
    const key = `${cpe} ${isCertain}`;
    const said = statements.get(key) ?? { cpe, isCertain, ranges: [], versions: [] };
    statements.set(key, said);
    if (versions.range !== undefined) said.ranges.push(versions.range);
    if (versions.listed !== undefined) said.versions.push(versions.listed);
  }
  return [...statements.values()];
}

interface Versions {
  readonly range?: AdvisoryRange;
  readonly listed?: string;
  /** Whether the name itself contains the versions, as wildcards. */
  readonly isWhole?: true;
}

/** Undefined for a product without versions. */
function versionsOf({ name: { version, update }, bounds }: AffectedProduct): Versions | undefined {
  if (version === notApplicable) return undefined;
  if (version === any) return { range: rangeOf(bounds) };
  const wild = [version, update].map(findWildcards).some((found) => found && found.before + found.after > 0);
  if (wild) return { range: {}, isWhole: true };
  const plain = version.replaceAll(/\\(.)/g, "$1");
  if (update === any) return { listed: plain };
  if (update === notApplicable) return { listed: `${plain}${releaseOnly}` };
  const joint = /^p\d+$/.test(update) ? "" : "-"; // OpenSSH's 9.2p1, others' 3.0.0-rc1
  return { listed: `${plain}${joint}${update.replaceAll(/\\(.)/g, "$1")}` };
}

/** In rpm's order, a version with this suffix is above the version without it, and below all longer ones. */
const justAbove = "^";

function rangeOf({
  startIncluding,
  startExcluding,
  endIncluding,
  endExcluding,
}: AffectedProduct["bounds"]): AdvisoryRange {
  const introduced = startIncluding ?? (startExcluding && `${startExcluding}${justAbove}`);
  return {
    introduced,
    fixed: endExcluding,
    lastAffected: endExcluding === undefined && endIncluding !== undefined ? endIncluding : undefined,
  };
}

function ruleOf(record: string, { cpe, isCertain, ranges, versions }: Statement) {
  const [, , , vendor, product] = cpe.split(":");
  const condition = isCertain ? "" : "/elsewhere";
  return {
    id: `${feedName}/${record}/${cpe.slice("cpe:2.3:a:".length)}${condition}`,
    ecosystem: cpeEcosystem,
    packageName: `${vendor}:${product}`,
    packageKind: "BINARY",
    cpes: [cpe],
    status: isCertain ? "affected" : "undetermined",
    ranges,
    versions: [...new Set(versions)],
  } as const;
}
