import type { Package, Vulnerability, VulnerabilityReport } from "@plimsoll/core";
import { type CveFacts, cveFactsOf, type Risk } from "@plimsoll/core/internal";
import { risksOf } from "@plimsoll/core/match";
import type { Severity } from "@plimsoll/core/severity";
import type { Component } from "./components.ts";
import { webLinks } from "./finding-texts.ts";
import { cvssRatings, listSuppressed, type SuppressedFinding, weaknessesOf } from "./image-findings.ts";
import { type MatchedImage, toolName } from "./reported-image.ts";

/** CycloneDX's names of severities. */
const severityWords: Readonly<Record<Severity, string>> = {
  Unknown: "unknown",
  Negligible: "info",
  Low: "low",
  Medium: "medium",
  High: "high",
  Critical: "critical",
};

const methods = { "2.0": "CVSSv2", "3.0": "CVSSv3", "3.1": "CVSSv31", "4.0": "CVSSv4" } as const;

/** CycloneDX's justifications by those of VEX. */
const justifications: Readonly<Record<string, string>> = {
  component_not_present: "code_not_present",
  vulnerable_code_not_present: "code_not_present",
  vulnerable_code_not_in_execute_path: "code_not_reachable",
  inline_mitigations_already_exist: "protected_by_mitigating_control",
};

/** The analyses that a document states for affected packages and for undecided ones. */
export interface Analyses {
  readonly affected?: (vulnerability: Vulnerability) => object;
  readonly undecided?: object;
}

/** The analyses of a VEX document, in which every vulnerability has a state. */
export const vexAnalyses: Analyses = {
  affected: ({ fixedInVersion }) => ({
    state: "exploitable",
    response: [fixedInVersion === undefined ? "can_not_fix" : "update"],
    detail: "The version of the package is in the affected range of the advisory.",
  }),
  undecided: { state: "in_triage" },
};

/**
 * The `vulnerabilities` of a CycloneDX document: one for each advisory of the report, then the undecided ones, then those that
 * statements of users suppress.
 */
export function cycloneDxVulnerabilities(
  image: MatchedImage,
  references: References,
  analyses: Analyses = {},
): readonly object[] {
  const report = image.vulnerabilities;
  const document = { report, references, analyses };
  const risks = risksOf(report);
  const cves = cveFactsOf(report.enrichments);
  const affected = packagesByVulnerability(report);
  return [
    ...Object.values(report.vulnerabilities).flatMap((vulnerability) => {
      const packages = affected.get(vulnerability.id);
      if (packages === undefined) return [];
      const affects = affectsOf(packages, document, "affected");
      const analysis = analyses.affected?.(vulnerability);
      const facts = { risk: risks.get(vulnerability.id), cves: cves.get(vulnerability.id) ?? [] };
      return [{ ...vulnerabilityOf(vulnerability, facts, affects), analysis }];
    }),
    ...undecidedOf(document),
    ...listSuppressed(image).map((found, index) => suppressedOf(found, index, document)),
  ];
}

interface Document {
  readonly report: VulnerabilityReport;
  readonly references: References;
  readonly analyses: Analyses;
}

function packagesByVulnerability({ packageVulnerabilities }: VulnerabilityReport): ReadonlyMap<string, string[]> {
  const packages = new Map<string, string[]>();
  for (const [packageId, ids] of Object.entries(packageVulnerabilities)) {
    for (const id of ids) {
      const known = packages.get(id);
      if (known === undefined) packages.set(id, [packageId]);
      else known.push(packageId);
    }
  }
  return packages;
}

/** The packages that a statement is about. The status belongs to a version, so a package without a version has none. */
function affectsOf(packageIds: readonly string[], { report, references }: Document, status: string): readonly object[] {
  return packageIds.flatMap((id) => {
    const found = report.packages[id];
    const version = found === undefined ? {} : versionOf(found);
    const versions = "version" in version ? [{ ...version, status }] : undefined;
    return references.ofPackage(id).map((ref) => ({ ref, versions }));
  });
}

/** Facts about a vulnerability that are not in its advisory. */
interface KnownFacts {
  readonly risk: Risk | undefined;
  readonly cves: readonly CveFacts[];
}

function vulnerabilityOf(vulnerability: Vulnerability, { risk, cves }: KnownFacts, affects: readonly object[]): object {
  const { id, name, updater, aliases, description, issuedAt, fixedInVersion } = vulnerability;
  const links = webLinks(vulnerability.links);
  const weaknesses = weaknessesOf(cves);
  return {
    "bom-ref": `vulnerability-${id}`,
    id: name,
    source: { name: updater },
    references: aliases.length > 0 ? aliases.map((alias) => ({ id: alias, source: { name: updater } })) : undefined,
    ratings: ratingsOf(vulnerability),
    cwes: weaknesses.length > 0 ? weaknesses.map((cwe) => Number(cwe.slice("CWE-".length))) : undefined,
    description,
    recommendation: fixedInVersion === undefined ? undefined : `Update to version ${fixedInVersion} or later.`,
    advisories: links.length > 0 ? links.map((url) => ({ url })) : undefined,
    published: issuedAt === undefined ? undefined : new Date(issuedAt).toISOString(),
    affects,
    properties: [
      { name: `${toolName}:exploited`, value: String(risk?.isExploited ?? false) },
      ...(risk?.epss === undefined ? [] : [{ name: `${toolName}:epss`, value: String(risk.epss.probability) }]),
    ],
  };
}

/** The severity of the report, then every CVSS score. */
function ratingsOf(vulnerability: Vulnerability): readonly object[] {
  const { updater, normalizedSeverity } = vulnerability;
  const scores = cvssRatings(vulnerability).map(({ version, vector, score, source }) => {
    return { source: { name: source }, score, method: methods[version], vector };
  });
  return [{ source: { name: updater }, severity: severityWords[normalizedSeverity], method: "other" }, ...scores];
}

function suppressedOf(
  { component, vulnerability, statement }: SuppressedFinding,
  index: number,
  document: Document,
): object {
  const { status, justification = "", detail, author, place } = statement;
  const known = Object.hasOwn(justifications, justification) ? justifications[justification] : undefined;
  const why = [justification, detail, author && `stated by ${author}`, place].filter(Boolean);
  return {
    "bom-ref": `statement-${index + 1}`,
    id: vulnerability.name,
    source: { name: vulnerability.updater },
    analysis: {
      state: status === "fixed" ? "resolved" : "not_affected",
      justification: known,
      detail: why.join("; "),
    },
    affects: affectsOf([component.package.id], document, "unaffected"),
  };
}

function undecidedOf(document: Document): readonly object[] {
  const byName = Map.groupBy(document.report.undecided, ({ name }) => name);
  return [...byName].map(([name, pairs]) => ({
    "bom-ref": `undecided-${name}`,
    id: name,
    analysis: document.analyses.undecided,
    affects: affectsOf([...new Set(pairs.map(({ packageId }) => packageId))], document, "unknown"),
    properties: [...new Set(pairs.map(({ reason }) => reason))].map((value) => ({
      name: `${toolName}:undecided`,
      value,
    })),
  }));
}

/** The longest version that CycloneDX allows; longer ones are truncated. */
const maxVersionLength = 1024;

/** The version of a package as a member of a CycloneDX document; none if it is empty. */
export function versionOf({ version }: Package): { readonly version?: string } {
  return version === "" ? {} : { version: version.slice(0, maxVersionLength) };
}

/** The references of components within a document. */
export interface References {
  of(component: Component): string;
  /** Those of all components of a package, by its id. */
  ofPackage(id: string): readonly string[];
}

/** Assigns the references of components: the package URL, followed by the component's id if it is not unique. */
export function componentReferences(components: readonly Component[]): References {
  const taken = new Set<string>();
  const byId = new Map<string, string>();
  const byPackage = new Map<string, string[]>();
  for (const { id, package: found, purl } of components) {
    const plain = purl ?? `${found.name}@${found.version}`;
    const reference = taken.has(plain) || purl === undefined ? `${plain}#${id}` : plain;
    taken.add(plain);
    byId.set(id, reference);
    const known = byPackage.get(found.id);
    if (known === undefined) byPackage.set(found.id, [reference]);
    else known.push(reference);
  }
  return { of: ({ id }) => byId.get(id) ?? id, ofPackage: (id) => byPackage.get(id) ?? [] };
}
