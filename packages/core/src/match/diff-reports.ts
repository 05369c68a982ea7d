import type { Package } from "../model/package.ts";
import { diffPackages, type PackageDiff } from "./diff-packages.ts";
import { packageEvidence, packageIdentities } from "./package-identities.ts";
import type { Vulnerability, VulnerabilityReport } from "./report.ts";
import { hidesNothing } from "./undecided-text.ts";
import { addNames, isCovered, namesOf, vulnerabilityNames } from "./vulnerability-names.ts";

/** A package and a vulnerability that affects it. */
export interface ReportFinding {
  readonly package: Package;
  readonly vulnerability: Vulnerability;
}

/** Why a finding is only in the later report. */
export type AddedCause = ReportDiff["added"][number]["cause"];

/** Why a finding is only in the earlier report. */
export type RemovedCause = ReportDiff["removed"][number]["cause"];

/** A finding of both reports with differences. */
export type ChangedFinding = ReportDiff["changed"][number];

/** The differences between two reports; empty lists if they are equal. */
export interface ReportDiff {
  readonly packages: PackageDiff;
  /**
   * Findings only of the later report, with the cause. `suppression-ended`: a statement suppresses it in the earlier one. `evidence-changed`: both have the same
   * version, and its origin (release, repositories or source) differs, or both were matched with the same advisories. `undecided`: the earlier one cannot judge the
   * package, or has the finding as undecided.
   */
  readonly added: readonly (ReportFinding & {
    readonly cause:
      | "package-added"
      | "suppression-ended"
      | "undecided"
      | "version-changed"
      | "advisory-added"
      | "evidence-changed";
  })[];
  /**
   * Findings only of the earlier report, with the cause. `suppressed`: a statement suppresses it in the later one. `fixed`: the later report has the package at
   * another version. `undecided`: the later report cannot judge the package, or has the finding as undecided, so that it may still be affected.
   */
  readonly removed: readonly (ReportFinding & {
    readonly cause:
      | "package-removed"
      | "suppressed"
      | "undecided"
      | "fixed"
      | "advisory-withdrawn"
      | "evidence-changed";
  })[];
  /** Findings of both reports with differences. */
  readonly changed: readonly {
    readonly before: ReportFinding;
    readonly after: ReportFinding;
  }[];
}

/**
 * Compares two reports package by package and finding by finding. A vulnerability is the same in every feed, and a package is the same at
 * any version: after an upgrade to a fixed version, the finding is removed with the cause `fixed`. Equal versions of a package are compared
 * first. Exchanging the reports exchanges `added` with `removed` and `before` with `after`.
 * @example
 * declare const before: VulnerabilityReport;
 * declare const after: VulnerabilityReport;
 * const { added, removed } = diffReports(before, after);
 * console.log(`${added.length} new, ${removed.length} gone`);
 */
export function diffReports(before: VulnerabilityReport, after: VulnerabilityReport): ReportDiff {
  const [a, b] = [readSide(before), readSide(after)];
  const pairs = pairFindings(a.findings, b.findings);
  const sameFeeds = haveSameFeeds(before, after);
  return {
    packages: diffPackages(before, after),
    added: [...b.findings].flatMap(([key, found]) =>
      pairs.right.has(key) ? [] : [{ ...found.found, cause: addedCause(a, found, { sameFeeds }) }],
    ),
    removed: [...a.findings].flatMap(([key, found]) =>
      pairs.left.has(key) ? [] : [{ ...found.found, cause: removedCauses[addedCause(b, found, { sameFeeds })] }],
    ),
    changed: [...pairs.left].flatMap(([keyA, keyB]) => changedOf(a.findings.get(keyA), b.findings.get(keyB))),
  };
}

/** One of the two reports, prepared for the comparison. */
interface Side {
  /** By key, in the order of the keys. */
  readonly findings: ReadonlyMap<string, SideFinding>;
  /** The versions of packages by identity. */
  readonly versions: ReadonlyMap<string, ReadonlySet<string>>;
  /** The origins of packages by identity and version. */
  readonly evidence: ReadonlyMap<string, ReadonlySet<string>>;
  /** The names of suppressed vulnerabilities by the identity of the package. */
  readonly suppressed: ReadonlyMap<string, ReadonlySet<string>>;
  /** The names of undecided vulnerabilities by the identity of the package; undefined for a package that cannot be judged at all. */
  readonly undecided: ReadonlyMap<string, ReadonlySet<string> | undefined>;
}

/** A finding with the identity and the origin of its package, which do not depend on ids of the report. */
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
  const entries = findings.map((found) => ({
    found,
    identity: identityOf(found.package),
    evidence: evidenceOf(found.package),
  }));
  const keyed = entries.map((each) => [keyOf(each), each] as const).sort(([a], [b]) => (a < b ? -1 : 1));
  const versions = Map.groupBy(Object.values(report.packages), identityOf);
  const alike = Map.groupBy(Object.values(report.packages), (each) => `${identityOf(each)}\n${each.version}`);
  return {
    findings: new Map(keyed),
    versions: new Map([...versions].map(([identity, of]) => [identity, new Set(of.map(({ version }) => version))])),
    evidence: new Map([...alike].map(([key, of]) => [key, new Set(of.map(evidenceOf))])),
    suppressed: suppressedNames(report, identities),
    undecided: undecidedNames(report, identities),
  };
}

function undecidedNames(report: VulnerabilityReport, identities: ReadonlyMap<string, string>): Side["undecided"] {
  const byIdentity = new Map<string, Set<string> | undefined>();
  for (const { packageId, name } of report.undecided) {
    const identity = identities.get(packageId) ?? "";
    const names = byIdentity.get(identity) ?? new Set();
    byIdentity.set(identity, names);
    addNames(namesOf({ name, aliases: [] }), names);
  }
  for (const { fact, packageIds } of report.coverage.undecided ?? []) {
    if (hidesNothing.has(fact)) continue;
    for (const id of packageIds) byIdentity.set(identities.get(id) ?? "", undefined);
  }
  return byIdentity;
}

function suppressedNames(report: VulnerabilityReport, identities: ReadonlyMap<string, string>): Side["suppressed"] {
  const byIdentity = new Map<string, Set<string>>();
  for (const { packageId, vulnerabilityId } of report.suppressed) {
    const [identity, vulnerability] = [identities.get(packageId), report.vulnerabilities[vulnerabilityId]];
    if (identity === undefined || vulnerability === undefined) continue;
    const names = byIdentity.get(identity) ?? new Set();
    byIdentity.set(identity, names);
    addNames(namesOf(vulnerability), names);
  }
  return byIdentity;
}

function findingOf(report: VulnerabilityReport, packageId: string, id: string): readonly ReportFinding[] {
  const [found, vulnerability] = [report.packages[packageId], report.vulnerabilities[id]];
  return found === undefined || vulnerability === undefined ? [] : [{ package: found, vulnerability }];
}

function keyOf(finding: SideFinding): string {
  return `${nameKeyOf(finding)}\n${finding.found.package.version}`;
}

/** The key without the version. */
function nameKeyOf({ found, identity }: SideFinding): string {
  return `${identity}\n${vulnerabilityNames(found.vulnerability).join(" ")}`;
}

/** Pairs of keys of the same finding in both reports: left to right and right to left. */
interface Pairs {
  readonly left: ReadonlyMap<string, string>;
  readonly right: ReadonlyMap<string, string>;
}

type Keyed = readonly [key: string, finding: SideFinding];

/**
 * Pairs findings with equal keys first. Then findings that differ only in the version, in the order of versions. Of the others, two findings
 * are a pair if they share a name with each other and with no other finding of the same package.
 */
function pairFindings(a: Side["findings"], b: Side["findings"]): Pairs {
  const left = new Map([...a.keys()].filter((key) => b.has(key)).map((key) => [key, key]));
  const paired = new Set(left.values());
  const restOf = (side: Side["findings"], used: { has(key: string): boolean }) =>
    [...side].filter(([key]) => !used.has(key));
  const byName = Map.groupBy(restOf(b, paired), ([, each]) => nameKeyOf(each));
  for (const [name, ofA] of Map.groupBy(restOf(a, left), ([, each]) => nameKeyOf(each))) {
    const ofB = byName.get(name) ?? [];
    for (const [index, [keyA]] of ofA.entries()) {
      const [keyB] = ofB[index] ?? [];
      if (keyB === undefined) continue;
      left.set(keyA, keyB);
      paired.add(keyB);
    }
  }
  for (const [keyA, keyB] of onlyPartners(restOf(a, left), restOf(b, paired))) left.set(keyA, keyB);
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

/** Why a finding is not in the report `other`. */
function addedCause(
  other: Side,
  { found, identity, evidence }: SideFinding,
  { sameFeeds }: { readonly sameFeeds: boolean },
): AddedCause {
  const { version } = found.package;
  const versions = other.versions.get(identity);
  if (versions === undefined) return "package-added";
  if (isCovered(namesOf(found.vulnerability), other.suppressed.get(identity) ?? none)) return "suppression-ended";
  if (isUndecided(other, identity, found)) return "undecided";
  if (!versions.has(version)) return "version-changed";
  const isSameEvidence = other.evidence.get(`${identity}\n${version}`)?.has(evidence) === true;
  return isSameEvidence && !sameFeeds ? "advisory-added" : "evidence-changed";
}

function isUndecided({ undecided }: Side, identity: string, { vulnerability }: ReportFinding): boolean {
  const names = undecided.get(identity);
  return names === undefined ? undecided.has(identity) : isCovered(namesOf(vulnerability), names);
}

const none: ReadonlySet<string> = new Set();

/** Whether both reports were matched with the same advisories: the feeds of both have the same check time. False for reports without feeds. */
function haveSameFeeds({ feeds: a }: VulnerabilityReport, { feeds: b }: VulnerabilityReport): boolean {
  const checked = new Map(a.map(({ ecosystem, checkedAt }) => [ecosystem, checkedAt]));
  const common = b.filter(({ ecosystem }) => checked.has(ecosystem));
  return common.length > 0 && common.every(({ ecosystem, checkedAt }) => checked.get(ecosystem) === checkedAt);
}

const removedCauses: Readonly<Record<AddedCause, RemovedCause>> = {
  "package-added": "package-removed",
  "suppression-ended": "suppressed",
  undecided: "undecided",
  "version-changed": "fixed",
  "advisory-added": "advisory-withdrawn",
  "evidence-changed": "evidence-changed",
};

function changedOf(a: SideFinding | undefined, b: SideFinding | undefined): readonly ChangedFinding[] {
  if (a === undefined || b === undefined) return [];
  return shown(a.found) === shown(b.found) ? [] : [{ before: a.found, after: b.found }];
}

/** The members of a finding that a reader of the report sees. Ids are left out, since they differ between reports of equal content. */
function shown({ package: found, vulnerability }: ReportFinding): string {
  const { name, fixedInVersion, normalizedSeverity, severity, description } = vulnerability;
  return JSON.stringify([found.version, name, fixedInVersion, normalizedSeverity, severity, description]);
}
