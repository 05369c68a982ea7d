import type { Coverage, IndexReport } from "@plimsoll/core";
import { parts, type TextPieces, toPieces } from "./text-pieces.ts";

/**
 * An index report as text. Each line is a part of the report: members of its maps and items of its lists come in several lines,
 * everything else in the first. A line with the whole report is one too: reports were stored so before.
 */
export function formatReport(report: IndexReport): TextPieces {
  return toPieces(Array.from(partsOf(report), (part) => JSON.stringify(part)));
}

export const maps = ["packages", "distributions", "repositories", "environments"] as const;
export const lists = ["layers", "databases", "problems", "unassessed"] as const;

export type ReportPart = Partial<Omit<IndexReport, "coverage">> & { readonly coverage?: Partial<Coverage> };

function* partsOf(report: IndexReport): Generator<ReportPart> {
  const { packages, distributions, repositories, environments, coverage, ...rest } = report;
  const { layers, databases, problems, unassessed, ...covered } = coverage;
  yield { ...rest, coverage: covered };
  for (const map of maps) {
    for (const part of parts(Object.entries(report[map]))) yield { [map]: Object.fromEntries(part) };
  }
  for (const list of lists) {
    for (const part of parts<unknown>(coverage[list])) yield { coverage: { [list]: part } };
  }
}
