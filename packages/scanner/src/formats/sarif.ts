/**
 * SARIF 2.1.0, in the form that GitHub's code scanning reads.
 *
 * @see https://docs.oasis-open.org/sarif/sarif/v2.1.0/sarif-v2.1.0.html
 * @see https://docs.github.com/en/code-security/code-scanning/integrating-with-code-scanning/sarif-support-for-code-scanning
 */
import { createHash } from "node:crypto";
import { coverageSentences, isWhollyAssessed } from "./coverage-sentences.ts";
import { packageText, remedyText } from "./finding-texts.ts";
import type { FindingsStamp } from "./findings-stamp.ts";
import { type ImageFinding, listImageFindings, listSuppressed, type SuppressedFinding } from "./image-findings.ts";
import { type MatchedImage, toolName, toolPage } from "./reported-image.ts";
import { levelOf, listRules, ruleId } from "./sarif-rules.ts";

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
      : [{ level: "note", descriptor: { id: "hidden" }, message: { text: `${hidden} more findings are not shown.` } }]),
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
