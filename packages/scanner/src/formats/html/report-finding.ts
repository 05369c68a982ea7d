import { severities } from "@plimsoll/core/severity";
import { needersOf, percentText, remedyText, webLinks } from "../finding-texts.ts";
import { cvssRatings, type ImageFinding, rejectionsOf, weaknessesOf } from "../image-findings.ts";
import type { FindingCounts, FindingDetails, ReportFinding } from "./report-parts.generated.ts";

/** A finding in the form that the components of a report show. */
export function reportFinding(finding: ImageFinding): ReportFinding {
  const { id, severity, risk, fixedIn = "", vulnerability, package: found, component, layer = "" } = finding;
  const paths = component.locations.map(({ path }) => path);
  const { aliases } = vulnerability;
  return {
    ...{ id, severity, fixedIn, layer, packageName: found.name, version: found.version },
    isExploited: risk.isExploited,
    epss: risk.epss?.probability,
    score: risk.score,
    details: detailsOf(finding),
    link: webLinks(vulnerability.links)[0],
    alias: /^CVE-/.test(id) ? undefined : aliases.find((alias) => alias.startsWith("CVE-")),
    places: placesOf(finding),
    remedy: remedyText(finding),
    more: moreOf(finding),
    rank: severities.indexOf(severity),
    text: [id, ...aliases, found.name, found.version, component.purl ?? "", ...paths].join(" "),
  };
}

function placesOf({ component, package: { name, version } }: ImageFinding): readonly string[] {
  if (component.locations.length === 0) return [`${name} ${version}`];
  return component.locations.map(({ path, layer }) => (layer === undefined ? path : `${path} in layer ${layer}`));
}

function detailsOf({ vulnerability, cves }: ImageFinding): FindingDetails {
  const { description = "", aliases, updater, ratings = [], links } = vulnerability;
  return {
    description,
    aliases,
    ratings: ratings.map(({ source, severity, text, score }) => {
      const word = text === undefined || score !== undefined ? severity : `${severity} (original value: ${text})`;
      return { source, severity: word, score };
    }),
    vectors: cvssRatings(vulnerability).map(({ vector, score }) => ({ vector, score })),
    reportedBy: updater,
    links: webLinks([...new Set([...links, ...cves.flatMap(({ references }) => references)])]),
  };
}

function moreOf(finding: ImageFinding): ReportFinding["more"] {
  const { component, cves, risk, severity, severitySource } = finding;
  const more: ReportFinding["more"] = [
    { name: "Severity", lines: [`${severity}, by ${severitySource}`] },
    { name: "CVE record", lines: rejectionsOf(cves) },
    { name: "Weaknesses", lines: weaknessesOf(cves), isCode: true },
    { name: "EPSS", lines: epssLines(risk) },
    { name: "Needed by", lines: needersOf(finding) },
    { name: "Reached", lines: finding.reached === undefined ? [] : [notReached] },
    { name: "Package URL", lines: listed(component.purl), isCode: true },
    { name: "CPE", lines: listed(component.cpe), isCode: true },
  ];
  return more.filter(({ lines }) => lines.length > 0);
}

const notReached =
  "No evidence: nothing in the image is known to need the package, nor does what the image starts. It may be used all the same.";

function epssLines({ epss }: ImageFinding["risk"]): readonly string[] {
  if (epss === undefined) return [];
  return [`${percentText(epss.probability)} within 30 days, percentile ${(epss.percentile * 100).toFixed(2)}`];
}

function listed(text: string | undefined): readonly string[] {
  return text === undefined ? [] : [text];
}

/** Counts findings by severity, exploitation and fix. */
export function reportCounts(findings: readonly ImageFinding[]): FindingCounts {
  const counts = Map.groupBy(findings, ({ severity }) => severity);
  return {
    severities: severities
      .toReversed()
      .map((severity) => [severity, counts.get(severity)?.length ?? 0] as const)
      .filter(([, count]) => count > 0),
    exploited: findings.filter(({ risk }) => risk.isExploited).length,
    fixable: findings.filter(({ fixedIn }) => fixedIn !== undefined).length,
  };
}
