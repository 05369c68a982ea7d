/**
 * The configurations of a vulnerability in the National Vulnerability Database: the affected products, and the systems on which they are affected.
 *
 * ```
 * configurations = [{ operator?: "AND" | "OR", negate?: boolean, nodes }]          one of them holds
 * nodes          = [{ operator: "AND" | "OR", negate?: boolean, cpeMatch }]
 * cpeMatch       = [{ vulnerable, criteria, versionStartIncluding?, versionStartExcluding?, versionEndIncluding?, versionEndExcluding? }]
 * ```
 * @see https://csrc.nist.gov/schema/nvd/api/2.0/cve_api_json_2.0.schema
 */
import { cpeEcosystem, releaseOnly } from "../../ecosystems/cpe/matcher.ts";
import { productNames } from "../../ecosystems/cpe/products.ts";
import { bestMetrics, readNvdRecord } from "../../enrichers/nvd/cve-record.ts";
import type { Advisory, AdvisoryRange } from "../../model/advisory.ts";
import { type Cpe, formatCpe } from "../../model/cpe/format.ts";
import { parseWfn } from "../../model/cpe/parse.ts";
import { any, findWildcards, notApplicable, type Wfn } from "../../model/cpe/wfn.ts";
import { type JsonPlace, memberAt, optionalItemsAt, optionalStringAt, stringAt } from "../../model/json-place.ts";
import type { RecordChange } from "../../plugins/updater.ts";
import type { ReadPart } from "../shared/malformed-feed.ts";
import { unknownSeverity, vectorSeverity } from "../shared/scored-severity.ts";

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

/** A product that is affected in some versions. */
interface AffectedProduct {
  readonly name: Wfn;
  readonly bounds: VersionBounds;
  /** Whether it is affected on any Linux system. False if it must run on or with something that is not known from an image. */
  readonly isCertain: boolean;
}

/** The versions of a criterion whose name has no version. */
interface VersionBounds {
  readonly startIncluding?: string;
  readonly startExcluding?: string;
  readonly endIncluding?: string;
  readonly endExcluding?: string;
}

/** The wanted affected products of all configurations. A malformed criterion is skipped. */
function affectedProducts(
  cve: JsonPlace,
  wants: (name: Wfn) => boolean,
  readPart: ReadPart,
): readonly AffectedProduct[] {
  const configurations = readPart(() => optionalItemsAt(memberAt(cve, "configurations"))) ?? [];
  return configurations.flatMap((configuration) => {
    const nodes = (readPart(() => optionalItemsAt(memberAt(configuration, "nodes"))) ?? []).map((node) =>
      readNode(node, readPart),
    );
    const isNegated = memberAt(configuration, "negate").value === true;
    const needsAll = memberAt(configuration, "operator").value === "AND";
    return nodes.flatMap((node) => {
      const others = nodes.filter((other) => other !== node);
      const isCertain = !isNegated && !node.isNegated && (!needsAll || others.every(holdsOnLinux));
      if (!isNegated && needsAll && others.some(holdsOnOthersOnly)) return [];
      return node.matches.flatMap((match) => {
        if (!match.isVulnerable || !wants(match.name) || isOfOtherSystem(match.name)) return [];
        const isAlone = !node.needsAll || node.matches.every((other) => other === match || isLinux(other));
        return [{ name: match.name, bounds: match.bounds, isCertain: isCertain && isAlone }];
      });
    });
  });
}

interface Node {
  readonly needsAll: boolean;
  readonly isNegated: boolean;
  readonly matches: readonly Match[];
}

interface Match {
  readonly name: Wfn;
  readonly bounds: VersionBounds;
  readonly isVulnerable: boolean;
}

function readNode(node: JsonPlace, readPart: ReadPart): Node {
  const matches = readPart(() => optionalItemsAt(memberAt(node, "cpeMatch"))) ?? [];
  return {
    needsAll: memberAt(node, "operator").value === "AND",
    isNegated: memberAt(node, "negate").value === true,
    matches: matches.flatMap((match) => readPart(() => readMatch(match)) ?? []),
  };
}

function readMatch(match: JsonPlace): Match {
  const bound = (name: string) => optionalStringAt(memberAt(match, name));
  const [startIncluding, startExcluding] = [bound("versionStartIncluding"), bound("versionStartExcluding")];
  const [endIncluding, endExcluding] = [bound("versionEndIncluding"), bound("versionEndExcluding")];
  return {
    name: parseWfn(stringAt(memberAt(match, "criteria"))),
    isVulnerable: memberAt(match, "vulnerable").value === true,
    bounds: {
      startIncluding,
      startExcluding,
      endIncluding,
      endExcluding,
    },
  };
}

/** Whether a part of a configuration holds on any Linux system. */
function holdsOnLinux({ isNegated, needsAll, matches }: Node): boolean {
  if (isNegated || matches.length === 0) return false;
  return needsAll ? matches.every(isLinux) : matches.some(isLinux);
}

/** Systems of which no image that is read is: what is affected only on them is not affected on Linux. */
const otherSystems = /^(?:ios|ipad_?os|iphone_os|mac_?os(?:_x)?(?:_server)?|windows(?:_[a-z0-9_.]{1,40})?)$/;

/** Whether a part of a configuration holds only on systems of which no image is. */
function holdsOnOthersOnly({ isNegated, needsAll, matches }: Node): boolean {
  if (isNegated || matches.length === 0) return false;
  const isOther = ({ name }: Match) => name.part === "o" && otherSystems.test(name.product);
  return needsAll ? matches.some(isOther) : matches.every(isOther);
}

function isOfOtherSystem({ targetSw }: Wfn): boolean {
  return otherSystems.test(targetSw);
}

/** Whether the match is the Linux kernel in any version. */
function isLinux({ name, bounds }: Match): boolean {
  const isAnyVersion = /^[*-]$/.test(name.version) && Object.values(bounds).every((bound) => bound === undefined);
  return name.part === "o" && name.product === "linux_kernel" && isAnyVersion;
}
