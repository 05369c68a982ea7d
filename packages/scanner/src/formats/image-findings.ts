import type { Vulnerability } from "@plimsoll/core";
import { parseCvss } from "@plimsoll/core/cvss";
import { type CveFacts, cveFactsOf, type Suppressed, scoreOfText } from "@plimsoll/core/internal";
import { type Finding, listFindings } from "../findings.ts";
import { type Component, listComponents } from "./components.ts";
import type { FindingsStamp, MatchedImage } from "./reported-image.ts";

/** A finding with its package as documents list it. */
export interface ImageFinding extends Finding {
  readonly component: Component;
  /** The CVE records of its CVE ids, if the CVE list is loaded. */
  readonly cves: readonly CveFacts[];
}

/** The findings of an image that a document shows. */
export interface ImageFindings {
  /** Greatest risk first. */
  readonly shown: readonly ImageFinding[];
  /** Number of findings that are not shown. */
  readonly hidden: number;
}

/** Lists the findings of an image with their packages. */
export function listImageFindings(image: MatchedImage, { shows }: Pick<FindingsStamp, "shows">): ImageFindings {
  const components = new Map(listComponents(image.index).map((component) => [component.package.id, component]));
  const cves = cveFactsOf(image.vulnerabilities.enrichments);
  const all = listFindings(image).map((finding) => {
    const component = components.get(finding.package.id) ?? bareComponent(finding.package);
    return { ...finding, component, cves: cves.get(finding.vulnerability.id) ?? [] };
  });
  const shown = shows === undefined ? all : all.filter(shows);
  return { shown, hidden: all.length - shown.length };
}

/** The component of a package without a place, as reports of other scanners may have. */
function bareComponent(found: Component["package"]): Component {
  return {
    id: found.id,
    package: found,
    name: found.name,
    isOfDistribution: false,
    owners: [],
    namePatterns: [],
    unstated: [],
    isForDevelopment: false,
    locations: [],
  };
}

/** A finding that a statement of a user suppresses. */
export interface SuppressedFinding {
  readonly component: Component;
  readonly vulnerability: Vulnerability;
  readonly statement: Suppressed;
}

/** The findings of a report that statements of users suppress, in its order. */
export function listSuppressed({ index, vulnerabilities: report }: MatchedImage): readonly SuppressedFinding[] {
  const components = new Map(listComponents(index).map((component) => [component.package.id, component]));
  return report.suppressed.flatMap((statement) => {
    const component = components.get(statement.packageId);
    const vulnerability = report.vulnerabilities[statement.vulnerabilityId];
    return component === undefined || vulnerability === undefined ? [] : [{ component, vulnerability, statement }];
  });
}

/** A CVSS score with its vector. */
export interface CvssRating {
  readonly version: "2.0" | "3.0" | "3.1" | "4.0";
  readonly vector: string;
  readonly score: number;
  readonly source: string;
}

/**
 * The CVSS scores of a vulnerability, starting with the one that is used. A report lists ratings only where others than the advisory have
 * rated the vulnerability; else the vector is the advisory's severity.
 */
export function cvssRatings({ ratings, severity, updater }: Vulnerability): readonly CvssRating[] {
  const given = ratings ?? [{ text: severity, source: updater }];
  return given.flatMap(({ text, source }) => {
    const score = scoreOfText(text);
    if (text === undefined || score === undefined) return [];
    return [{ version: parseCvss(text).version, vector: text, score, source }];
  });
}

/** The distinct weaknesses of CVE records: `CWE-79`. */
export function weaknessesOf(cves: readonly CveFacts[]): readonly string[] {
  return [...new Set(cves.flatMap(({ cwes }) => cwes))];
}

/** Sentences about the rejected CVE ids of a finding. */
export function rejectionsOf(cves: readonly CveFacts[]): readonly string[] {
  const rejected = cves.filter(({ state }) => state === "REJECTED");
  return rejected.map(
    ({ cve, description = "" }) => `${cve} was rejected${description === "" ? "." : `: ${description}`}`,
  );
}
