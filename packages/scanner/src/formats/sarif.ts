/**
 * SARIF 2.1.0, in the form that GitHub's code scanning reads.
 *
 * @see https://docs.oasis-open.org/sarif/sarif/v2.1.0/sarif-v2.1.0.html
 * @see https://docs.github.com/en/code-security/code-scanning/integrating-with-code-scanning/sarif-support-for-code-scanning
 */
import { createHash } from "node:crypto";
import type { Vulnerability } from "@plimsoll/core";
import type { Severity } from "@plimsoll/core/severity";
import { countOf, coverageSentences, isWhollyAssessed } from "./coverage-sentences.ts";
import { needersOf, packageText, remedyText, webLinks } from "./finding-texts.ts";
import {
  cvssRatings,
  type ImageFinding,
  listImageFindings,
  listSuppressed,
  type SuppressedFinding,
  weaknessesOf,
} from "./image-findings.ts";
import { markdownText } from "./markdown-text.ts";
import { type FindingsStamp, type MatchedImage, toolName, toolPage } from "./reported-image.ts";

/**
 * Formats the findings of an image as a SARIF 2.1.0 log: a rule for each vulnerability, a result for each package that it affects. If
 * something was not assessed, the run is unsuccessful and has notifications about it.
 *
 * @example
 * declare const report: ScanReport;
 * JSON.stringify(toSarif(report, { toolVersion: "1.0.0", createdAt: Date.now() }));
 */
export function toSarif(image: MatchedImage, stamp: FindingsStamp): object {
  const { shown, hidden } = listImageFindings(image, stamp);
  const suppressed = listSuppressed(image);
  const rules = listRules(shown, suppressed);
  const places = new Map(rules.map(({ id }, index) => [id, index]));
  const driver = { name: toolName, informationUri: toolPage, version: stamp.toolVersion, rules };
  const run = {
    tool: { driver },
    automationDetails: { id: `${toolName}/${image.reference}/` },
    invocations: [invocationOf(image, { hidden, endedAt: stamp.createdAt })],
    results: [
      ...shown.map((finding) => resultOf(finding, places)),
      ...suppressed.map((finding) => suppressedOf(finding, places)),
    ],
    columnKind: "utf16CodeUnits",
    properties: { image: image.reference, manifest: image.index.manifestDigest, source: image.source },
  };
  return { $schema: "https://json.schemastore.org/sarif-2.1.0.json", version: "2.1.0", runs: [run] };
}

function invocationOf(image: MatchedImage, { hidden, endedAt }: { hidden: number; endedAt: number }): object {
  const notes = [
    ...coverageSentences(image, endedAt).map((text) => ({
      level: "warning",
      descriptor: { id: "coverage" },
      message: { text },
    })),
    ...(hidden === 0
      ? []
      : [
          {
            level: "note",
            descriptor: { id: "hidden" },
            message: { text: `${countOf(hidden, "more finding")} not shown.` },
          },
        ]),
  ];
  const endTimeUtc = new Date(endedAt).toISOString();
  return { executionSuccessful: isWhollyAssessed(image), endTimeUtc, toolExecutionNotifications: notes };
}

type Located = Pick<ImageFinding, "component" | "vulnerability">;

function resultOf(finding: ImageFinding, places: ReadonlyMap<string, number>): object {
  const { severity, severitySource, risk, fixedIn, component } = finding;
  return {
    ...aboutOf(finding, places),
    level: levelOf(severity),
    message: { text: `${packageText(finding)} is affected by ${finding.id} (${severity}). ${remedyText(finding)}` },
    rank: risk.score === undefined ? undefined : risk.score * 10,
    properties: {
      severity,
      severitySource,
      package: finding.package.name,
      installedVersion: finding.package.version,
      fixedVersion: fixedIn,
      purl: component.purl,
      cpe: component.cpe,
      neededBy: finding.neededBy && needersOf(finding),
      reached: finding.reached,
      epss: risk.epss?.probability,
      epssPercentile: risk.epss?.percentile,
      knownExploited: risk.isExploited,
    },
  };
}

function suppressedOf(finding: SuppressedFinding, places: ReadonlyMap<string, number>): object {
  const { vulnerability, component, statement } = finding;
  const why = [statement.justification, statement.detail, statement.author, statement.place].filter(Boolean);
  return {
    ...aboutOf(finding, places),
    level: "note",
    message: { text: `${component.package.name}: ${vulnerability.name} is stated to be ${statement.status}.` },
    suppressions: [{ kind: "external", status: "accepted", justification: why.join("; ") }],
  };
}

function aboutOf({ component, vulnerability }: Located, places: ReadonlyMap<string, number>): object {
  const id = ruleId(vulnerability);
  return {
    ruleId: id,
    ruleIndex: places.get(id) ?? -1,
    locations: component.locations.map((location) => locationOf(component, location)),
    partialFingerprints: { primaryLocationLineHash: fingerprintOf(id, component) },
  };
}

function locationOf(
  { package: found, purl }: Located["component"],
  { path, layer }: Located["component"]["locations"][number],
): object {
  return {
    physicalLocation: {
      artifactLocation: { uri: path.toWellFormed().split("/").map(encodeURIComponent).join("/") },
      region: { startLine: 1, startColumn: 1, endLine: 1, endColumn: 1 },
    },
    logicalLocations: [
      { name: found.name, kind: "package", fullyQualifiedName: purl },
      ...(layer === undefined ? [] : [{ name: layer, kind: "layer" }]),
    ],
    message: { text: layer === undefined ? path : `${path} in layer ${layer}` },
  };
}

/** A later version of the package at the same place has the same fingerprint, because it is still the same finding. */
function fingerprintOf(id: string, { package: found, locations }: Located["component"]): string {
  const content = JSON.stringify([id, found.name, found.arch ?? "", locations[0]?.path ?? ""]);
  return createHash("sha256").update(content).digest("hex");
}

/** A rule of SARIF: a vulnerability. */
interface SarifRule {
  readonly id: string;
}

/** The lengths that GitHub shows; longer texts are truncated. */
const [shortLength, fullLength] = [1024, 10_000];

/** The limit for a rule. GitHub accepts twenty tags, and a rule has others. */
const maxWeaknesses = 15;

/** The scores that represent severities without a CVSS score, in the ranges that GitHub uses. */
const usualScores: Readonly<Record<Severity, string | undefined>> = {
  Unknown: undefined,
  Negligible: "0.1",
  Low: "3.9",
  Medium: "6.9",
  High: "8.9",
  Critical: "10.0",
};

/** SARIF's level of a severity. */
function levelOf(severity: Severity): "error" | "warning" | "note" {
  switch (severity) {
    case "Critical":
    case "High":
      return "error";
    case "Medium":
    case "Unknown":
      return "warning";
    default:
      return "note";
  }
}

/** The id of a vulnerability's rule. */
function ruleId({ name }: Vulnerability): string {
  return name;
}

/** One rule for each name of a vulnerability, greatest risk first. */
function listRules(findings: readonly ImageFinding[], suppressed: readonly SuppressedFinding[]): readonly SarifRule[] {
  const byId = Map.groupBy(findings, ({ vulnerability }) => ruleId(vulnerability));
  const rules = new Map<string, SarifRule>([...byId].map(([id, of]) => [id, ruleOf(id, of)]));
  for (const { vulnerability } of suppressed) {
    const id = ruleId(vulnerability);
    if (!rules.has(id)) rules.set(id, bareRule(id, vulnerability));
  }
  return [...rules.values()];
}

function ruleOf(id: string, findings: readonly ImageFinding[]): SarifRule {
  const [first] = findings as readonly [ImageFinding];
  const { vulnerability, severity } = first;
  const score = securityScore(first);
  const weaknesses = weaknessesOf(findings.flatMap(({ cves }) => cves)).slice(0, maxWeaknesses);
  return {
    ...bareRule(id, vulnerability),
    ...{ help: helpOf(vulnerability, [...new Set(findings.map(remedyText))]) },
    ...{ defaultConfiguration: { level: levelOf(severity) } },
    ...{
      properties: {
        tags: ["security", "vulnerability", severity.toLowerCase(), ...weaknesses.map(weaknessTag)],
        precision: "very-high",
        "security-severity": score,
        aliases: vulnerability.aliases,
        cvss: cvssRatings(vulnerability).map(({ vector, score: of, source }) => ({ vector, score: of, source })),
      },
    },
  };
}

/** The form of tag that GitHub recognizes as a weakness. */
function weaknessTag(cwe: string): string {
  return `external/cwe/${cwe.toLowerCase()}`;
}

/** The CVSS score of the finding if it agrees with the severity that is shown, else the usual score of the severity. */
function securityScore({ severity, risk }: ImageFinding): string | undefined {
  const usual = usualScores[severity];
  if (usual === undefined) return risk.score?.toFixed(1);
  return risk.score !== undefined && severityOfScore(risk.score) === severity ? risk.score.toFixed(1) : usual;
}

/** @see https://www.first.org/cvss/v3.1/specification-document (section 5) */
function severityOfScore(score: number): Severity {
  if (score >= 9) return "Critical";
  if (score >= 7) return "High";
  if (score >= 4) return "Medium";
  return score >= 0.1 ? "Low" : "Negligible";
}

function bareRule(id: string, vulnerability: Vulnerability): SarifRule {
  const { description = `The advisory of ${vulnerability.updater} has no description.` } = vulnerability;
  const [link] = webLinks(vulnerability.links);
  const rule = {
    id,
    name: "VulnerablePackage",
    shortDescription: { text: `${id} in ${vulnerability.package.name}`.slice(0, shortLength) },
    fullDescription: { text: description.slice(0, fullLength) },
    helpUri: link,
  };
  return rule;
}

function helpOf(vulnerability: Vulnerability, remedies: readonly string[]): object {
  const { name, aliases, description = "", links } = vulnerability;
  const named = [name, ...aliases].join(", ");
  const scores = cvssRatings(vulnerability).map(({ vector, score, source }) => `CVSS ${score} (${source}): ${vector}`);
  const web = webLinks(links);
  const text = [named, description.slice(0, fullLength), ...remedies, ...scores, ...web].filter(Boolean);
  const markdown = [
    `**${markdownText(named)}**`,
    markdownText(description.slice(0, fullLength)),
    ...[...remedies, ...scores].map(markdownText),
    web.map((url) => `- <${url}>`).join("\n"),
  ].filter(Boolean);
  return { text: text.join("\n\n"), markdown: markdown.join("\n\n") };
}
