import type { Package } from "../model/package.ts";
import type { Vulnerability, VulnerabilityReport } from "./report.ts";
import { vulnerabilityNames } from "./vulnerability-names.ts";

/** A package and a vulnerability it has. */
export interface ReportFinding {
  readonly package: Package;
  readonly vulnerability: Vulnerability;
}

/** Why a finding is only in the later report. */
export type AddedCause = "package-added" | "version-changed" | "advisory-added";

/** Why a finding is only in the earlier report. `fixed`: the package is still there, at another version. */
export type RemovedCause = "package-removed" | "fixed" | "advisory-withdrawn";

/** A finding of both reports in which something differs. */
export interface ChangedFinding {
  readonly before: ReportFinding;
  readonly after: ReportFinding;
}

/** What differs between two reports; empty lists for equal ones. */
export interface ReportDiff {
  readonly added: readonly (ReportFinding & { readonly cause: AddedCause })[];
  readonly removed: readonly (ReportFinding & { readonly cause: RemovedCause })[];
  readonly changed: readonly ChangedFinding[];
}

/**
 * Compares two reports finding by finding. A vulnerability stays the same whichever feed names it, and a package whatever
 * its version: an upgrade that brings the fix is a finding removed because it is `fixed`. Exchanging the reports exchanges
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
  return {
    added: [...b.findings].flatMap(([key, found]) =>
      pairs.right.has(key) ? [] : [{ ...found, cause: addedCause(a, found) }],
    ),
    removed: [...a.findings].flatMap(([key, found]) =>
      pairs.left.has(key) ? [] : [{ ...found, cause: removedCauses[addedCause(b, found)] }],
    ),
    changed: [...pairs.left].flatMap(([keyA, keyB]) => changedOf(a.findings.get(keyA), b.findings.get(keyB))),
  };
}

/** A report's findings by their keys, in the order of these, and its packages' versions by their identity. */
interface Side {
  readonly findings: ReadonlyMap<string, ReportFinding>;
  readonly versions: ReadonlyMap<string, ReadonlySet<string>>;
}

function readSide(report: VulnerabilityReport): Side {
  const findings = Object.entries(report.packageVulnerabilities).flatMap(([packageId, ids]) =>
    ids.flatMap((id) => findingOf(report, packageId, id)),
  );
  const keyed = findings.map((found) => [keyOf(found), found] as const).sort(([a], [b]) => (a < b ? -1 : 1));
  const versions = Map.groupBy(Object.values(report.packages), identityOf);
  return {
    findings: new Map(keyed),
    versions: new Map([...versions].map(([identity, of]) => [identity, new Set(of.map(({ version }) => version))])),
  };
}

function findingOf(report: VulnerabilityReport, packageId: string, id: string): readonly ReportFinding[] {
  const [found, vulnerability] = [report.packages[packageId], report.vulnerabilities[id]];
  return found === undefined || vulnerability === undefined ? [] : [{ package: found, vulnerability }];
}

/** What makes a package the same in two images: not its version and not its id. */
function identityOf({ name, kind, arch, module }: Package): string {
  return [name, kind, arch ?? "", module ?? ""].join("\n");
}

function keyOf({ package: found, vulnerability }: ReportFinding): string {
  return `${identityOf(found)}\n${vulnerabilityNames(vulnerability).join(" ")}`;
}

/** Keys of findings that are the same, both ways. */
interface Pairs {
  readonly left: ReadonlyMap<string, string>;
  readonly right: ReadonlyMap<string, string>;
}

/** Equal keys first; of the others those that share a name with exactly one of the other side, and it with no further one. */
function pairFindings(a: Side["findings"], b: Side["findings"]): Pairs {
  const left = new Map([...a.keys()].filter((key) => b.has(key)).map((key) => [key, key]));
  const restA = [...a].filter(([key]) => !left.has(key));
  const restB = [...b].filter(([key]) => !left.has(key));
  for (const [keyA, foundA] of restA) {
    const partners = restB.filter(([, foundB]) => isSame(foundA, foundB));
    const [partner] = partners;
    if (partner === undefined || partners.length > 1) continue;
    if (restA.filter(([, other]) => isSame(other, partner[1])).length === 1) left.set(keyA, partner[0]);
  }
  return { left, right: new Map([...left].map(([keyA, keyB]) => [keyB, keyA])) };
}

function isSame(a: ReportFinding, b: ReportFinding): boolean {
  if (identityOf(a.package) !== identityOf(b.package)) return false;
  const names = new Set([a.vulnerability.name, ...a.vulnerability.aliases]);
  return [b.vulnerability.name, ...b.vulnerability.aliases].some((name) => names.has(name));
}

/** Why a finding is not on the side `other`. */
function addedCause(other: Side, { package: found }: ReportFinding): AddedCause {
  const versions = other.versions.get(identityOf(found));
  if (versions === undefined) return "package-added";
  return versions.has(found.version) ? "advisory-added" : "version-changed";
}

const removedCauses: Readonly<Record<AddedCause, RemovedCause>> = {
  "package-added": "package-removed",
  "version-changed": "fixed",
  "advisory-added": "advisory-withdrawn",
};

function changedOf(before: ReportFinding | undefined, after: ReportFinding | undefined): readonly ChangedFinding[] {
  if (before === undefined || after === undefined) return [];
  return shown(before) === shown(after) ? [] : [{ before, after }];
}

/** What of a finding a reader of the report sees; ids are left out, they differ between reports of equal content. */
function shown({ package: found, vulnerability }: ReportFinding): string {
  const { name, fixedInVersion, normalizedSeverity, severity, description } = vulnerability;
  return JSON.stringify([found.version, name, fixedInVersion, normalizedSeverity, severity, description]);
}
