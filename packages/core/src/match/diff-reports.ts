import type { Package } from "../model/package.ts";
import { diffPackages, type PackageDiff } from "./diff-packages.ts";
import { packageEvidence } from "./package-evidence.ts";
import { packageIdentities } from "./package-identities.ts";
import type { Vulnerability, VulnerabilityReport } from "./report.ts";
import { vulnerabilityNames } from "./vulnerability-names.ts";

/** A package and a vulnerability it has. */
export interface ReportFinding {
  readonly package: Package;
  readonly vulnerability: Vulnerability;
}

/**
 * Why a finding is only in the later report. `evidence-changed`: the same version is in both, and what says where it comes from (its release,
 * repositories or source) differs, or both were judged by the same advisories.
 */
export type AddedCause = "package-added" | "version-changed" | "advisory-added" | "evidence-changed";

/** Why a finding is only in the earlier report. `fixed`: the package is still there, at another version. */
export type RemovedCause = "package-removed" | "fixed" | "advisory-withdrawn" | "evidence-changed";

/** A finding of both reports in which something differs. */
export interface ChangedFinding {
  readonly before: ReportFinding;
  readonly after: ReportFinding;
}

/** The differences between two reports; empty lists if they are equal. */
export interface ReportDiff {
  readonly packages: PackageDiff;
  readonly added: readonly (ReportFinding & { readonly cause: AddedCause })[];
  readonly removed: readonly (ReportFinding & { readonly cause: RemovedCause })[];
  readonly changed: readonly ChangedFinding[];
}

/**
 * Compares two reports package by package and finding by finding. A vulnerability stays the same whichever feed names it, and a package whatever
 * its version: an upgrade that brings the fix is a finding removed because it is `fixed`. Of a package that is there in several
 * versions, each version is compared with itself first. Exchanging the reports exchanges
 * `added` with `removed` and `before` with `after`.
 * @example
 * declare const before: VulnerabilityReport;
 * declare const after: VulnerabilityReport;
 * const { added, removed } = diffReports(before, after);
 * console.log(`${added.length} new, ${removed.length} gone`);
 */
export function diffReports(before: VulnerabilityReport, after: VulnerabilityReport): ReportDiff {
  const [a, b] = [readSide(before), readSide(after)];
  const pairs = pairFindings(a.findings, b.findings);
  const sameKnowledge = knowTheSame(before, after);
  return {
    packages: diffPackages(before, after),
    added: [...b.findings].flatMap(([key, found]) =>
      pairs.right.has(key) ? [] : [{ ...found.found, cause: addedCause(a, found, { sameKnowledge }) }],
    ),
    removed: [...a.findings].flatMap(([key, found]) =>
      pairs.left.has(key) ? [] : [{ ...found.found, cause: removedCauses[addedCause(b, found, { sameKnowledge })] }],
    ),
    changed: [...pairs.left].flatMap(([keyA, keyB]) => changedOf(a.findings.get(keyA), b.findings.get(keyB))),
  };
}

/** A report's findings by their keys, in the order of these, and its packages' versions by their identity. */
interface Side {
  readonly findings: ReadonlyMap<string, SideFinding>;
  readonly versions: ReadonlyMap<string, ReadonlySet<string>>;
  /** By identity and version, what says where such packages come from. */
  readonly evidence: ReadonlyMap<string, ReadonlySet<string>>;
}

/** A finding with what makes its package the same in another report. */
interface SideFinding {
  readonly found: ReportFinding;
  readonly identity: string;
  readonly evidence: string;
}

function readSide(report: VulnerabilityReport): Side {
  const identities = packageIdentities(report);
  const identityOf = ({ id }: Package) => identities.get(id) ?? "";
  const findings = Object.entries(report.packageVulnerabilities).flatMap(([packageId, ids]) =>
    ids.flatMap((id) => findingOf(report, packageId, id)),
  );
  const known = packageEvidence(report);
  const evidenceOf = ({ id }: Package) => known.get(id) ?? "";
  const sided = findings.map((found) => ({
    found,
    identity: identityOf(found.package),
    evidence: evidenceOf(found.package),
  }));
  const keyed = sided.map((each) => [keyOf(each), each] as const).sort(([a], [b]) => (a < b ? -1 : 1));
  const versions = Map.groupBy(Object.values(report.packages), identityOf);
  const alike = Map.groupBy(Object.values(report.packages), (each) => `${identityOf(each)}\n${each.version}`);
  return {
    findings: new Map(keyed),
    versions: new Map([...versions].map(([identity, of]) => [identity, new Set(of.map(({ version }) => version))])),
    evidence: new Map([...alike].map(([key, of]) => [key, new Set(of.map(evidenceOf))])),
  };
}

function findingOf(report: VulnerabilityReport, packageId: string, id: string): readonly ReportFinding[] {
  const [found, vulnerability] = [report.packages[packageId], report.vulnerabilities[id]];
  return found === undefined || vulnerability === undefined ? [] : [{ package: found, vulnerability }];
}

function keyOf(finding: SideFinding): string {
  return `${nameKeyOf(finding)}\n${finding.found.package.version}`;
}

/** Whatever the version. */
function nameKeyOf({ found, identity }: SideFinding): string {
  return `${identity}\n${vulnerabilityNames(found.vulnerability).join(" ")}`;
}

/** Keys of findings that are the same, both ways. */
interface Pairs {
  readonly left: ReadonlyMap<string, string>;
  readonly right: ReadonlyMap<string, string>;
}

type Keyed = readonly [key: string, finding: SideFinding];

/**
 * Equal keys first; then those of other versions, in the order of these; of the rest those that share a name with exactly one of
 * the other side, and it with no further one.
 */
function pairFindings(a: Side["findings"], b: Side["findings"]): Pairs {
  const left = new Map([...a.keys()].filter((key) => b.has(key)).map((key) => [key, key]));
  const taken = new Set(left.values());
  const restOf = (side: Side["findings"], used: { has(key: string): boolean }) =>
    [...side].filter(([key]) => !used.has(key));
  const byName = Map.groupBy(restOf(b, taken), ([, each]) => nameKeyOf(each));
  for (const [name, ofA] of Map.groupBy(restOf(a, left), ([, each]) => nameKeyOf(each))) {
    const ofB = byName.get(name) ?? [];
    for (const [index, [keyA]] of ofA.entries()) {
      const [keyB] = ofB[index] ?? [];
      if (keyB === undefined) continue;
      left.set(keyA, keyB);
      taken.add(keyB);
    }
  }
  for (const [keyA, keyB] of onlyPartners(restOf(a, left), restOf(b, taken))) left.set(keyA, keyB);
  return { left, right: new Map([...left].map(([keyA, keyB]) => [keyB, keyA])) };
}

function* onlyPartners(restA: readonly Keyed[], restB: readonly Keyed[]): Generator<readonly [string, string]> {
  const inB = Map.groupBy(restB, ([, { identity }]) => identity);
  const inA = Map.groupBy(restA, ([, { identity }]) => identity);
  for (const [keyA, findingA] of restA) {
    const partners = (inB.get(findingA.identity) ?? []).filter(([, findingB]) => isSame(findingA, findingB));
    const [partner] = partners;
    if (partner === undefined || partners.length > 1) continue;
    const others = (inA.get(findingA.identity) ?? []).filter(([, other]) => isSame(other, partner[1]));
    if (others.length === 1) yield [keyA, partner[0]];
  }
}

function isSame({ found: a }: SideFinding, { found: b }: SideFinding): boolean {
  const names = new Set([a.vulnerability.name, ...a.vulnerability.aliases]);
  return [b.vulnerability.name, ...b.vulnerability.aliases].some((name) => names.has(name));
}

/** Why a finding is not on the side `other`. */
function addedCause(
  other: Side,
  { found, identity, evidence }: SideFinding,
  { sameKnowledge }: { readonly sameKnowledge: boolean },
): AddedCause {
  const { version } = found.package;
  const versions = other.versions.get(identity);
  if (versions === undefined) return "package-added";
  if (!versions.has(version)) return "version-changed";
  const isSameEvidence = other.evidence.get(`${identity}\n${version}`)?.has(evidence) === true;
  return isSameEvidence && !sameKnowledge ? "advisory-added" : "evidence-changed";
}

/** Whether both were judged by the same advisories: the feeds that both needed were checked at the same time. Reports without feeds do not say. */
function knowTheSame({ feeds: a }: VulnerabilityReport, { feeds: b }: VulnerabilityReport): boolean {
  const checked = new Map(a.map(({ ecosystem, checkedAt }) => [ecosystem, checkedAt]));
  const common = b.filter(({ ecosystem }) => checked.has(ecosystem));
  return common.length > 0 && common.every(({ ecosystem, checkedAt }) => checked.get(ecosystem) === checkedAt);
}

const removedCauses: Readonly<Record<AddedCause, RemovedCause>> = {
  "package-added": "package-removed",
  "version-changed": "fixed",
  "advisory-added": "advisory-withdrawn",
  "evidence-changed": "evidence-changed",
};

function changedOf(a: SideFinding | undefined, b: SideFinding | undefined): readonly ChangedFinding[] {
  if (a === undefined || b === undefined) return [];
  return shown(a.found) === shown(b.found) ? [] : [{ before: a.found, after: b.found }];
}

/** What of a finding a reader of the report sees; ids are left out, they differ between reports of equal content. */
function shown({ package: found, vulnerability }: ReportFinding): string {
  const { name, fixedInVersion, normalizedSeverity, severity, description } = vulnerability;
  return JSON.stringify([found.version, name, fixedInVersion, normalizedSeverity, severity, description]);
}
