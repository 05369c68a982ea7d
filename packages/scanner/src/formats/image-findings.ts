import { parseCvss, type Suppressed, type Vulnerability } from "@plimsoll/core";
import { type Component, listComponents } from "./components.ts";
import type { MatchedImage } from "./reported-image.ts";

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
