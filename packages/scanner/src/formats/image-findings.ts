import { type CveFacts, cveFactsOf, parseCvss, type Suppressed, type Vulnerability } from "@plimsoll/core";
import { type Finding, listFindings } from "../findings.ts";
import { type Component, listComponents } from "./components.ts";
import type { FindingsStamp } from "./findings-stamp.ts";
import type { MatchedImage } from "./reported-image.ts";

/** A finding with what documents say of its package. */
export interface ImageFinding extends Finding {
  readonly component: Component;
  /** What the CVE list says of its CVE ids, where that is loaded. */
  readonly cves: readonly CveFacts[];
}

/** The findings of an image that a document shows. */
export interface ImageFindings {
  /** The greatest risk first. */
  readonly shown: readonly ImageFinding[];
  /** How many more there are. */
  readonly hidden: number;
}

/** Lists the findings of an image with their packages. */
export function listImageFindings(image: MatchedImage, { shows }: Pick<FindingsStamp, "shows">): ImageFindings {
  const components = new Map(listComponents(image.index).map((component) => [component.package.id, component]));
  const cves = cveFactsOf(image.vulnerabilities.enrichments);
  const all = listFindings(image.vulnerabilities).map((finding) => {
    const component = components.get(finding.package.id) ?? bareComponent(finding.package);
    return { ...finding, component, cves: cves.get(finding.vulnerability.id) ?? [] };
  });
  const shown = shows === undefined ? all : all.filter(shows);
  return { shown, hidden: all.length - shown.length };
}

/** Of a package that a report of another scanner has no place for. */
function bareComponent(found: Component["package"]): Component {
  return { package: found, name: found.name, isForDevelopment: false, locations: [] };
}

/** A finding that the statement of a user took out. */
export interface SuppressedFinding {
  readonly component: Component;
  readonly vulnerability: Vulnerability;
  readonly statement: Suppressed;
}

/** The findings that statements of users took out of a report, in its order. */
export function listSuppressed({ index, vulnerabilities: report }: MatchedImage): readonly SuppressedFinding[] {
  const components = new Map(listComponents(index).map((component) => [component.package.id, component]));
  return report.suppressed.flatMap((statement) => {
    const component = components.get(statement.packageId);
    const vulnerability = report.vulnerabilities[statement.vulnerabilityId];
    return component === undefined || vulnerability === undefined ? [] : [{ component, vulnerability, statement }];
  });
}

/** A CVSS score with the vector that it is of. */
export interface CvssRating {
  readonly version: "2.0" | "3.0" | "3.1" | "4.0";
  readonly vector: string;
  readonly score: number;
  readonly source: string;
}

/** The CVSS scores of a vulnerability, the one that counts first. */
export function cvssRatings({ ratings = [] }: Vulnerability): readonly CvssRating[] {
  return ratings.flatMap(({ text, score, source }) => {
    if (text === undefined || score === undefined) return [];
    return [{ version: parseCvss(text).version, vector: text, score, source }];
  });
}

/** The weaknesses that CVE records name, each once: `CWE-79`. */
export function weaknessesOf(cves: readonly CveFacts[]): readonly string[] {
  return [...new Set(cves.flatMap(({ cwes }) => cwes))];
}

/** Why CVE ids of a finding do not count any more, a sentence each. */
export function rejectionsOf(cves: readonly CveFacts[]): readonly string[] {
  const rejected = cves.filter(({ state }) => state === "REJECTED");
  return rejected.map(
    ({ cve, description = "" }) => `${cve} was rejected${description === "" ? "." : `: ${description}`}`,
  );
}
