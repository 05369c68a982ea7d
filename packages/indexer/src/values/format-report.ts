import type { IndexReport } from "@plimsoll/core";
import type { Coverage } from "@plimsoll/core/internal";
import { parts, type TextPieces, toPieces } from "./text-pieces.ts";

/**
 * Formats an index report as text. Each line is a part of the report: its maps and lists are split over several lines, everything else is
 * in the first. Older databases have reports with a single line, which is valid too.
 */
export function formatReport(report: IndexReport): TextPieces {
  return toPieces(Array.from(partsOf(report), (part) => JSON.stringify(part)));
}

export const maps = ["packages", "distributions", "repositories", "environments", "details", "dependencies"] as const;
export const lists = ["layers", "databases", "problems", "unassessed"] as const;

export type ReportPart = Partial<Omit<IndexReport, "coverage">> & { readonly coverage?: Partial<Coverage> };

function* partsOf(report: IndexReport): Generator<ReportPart> {
  const { packages, distributions, repositories, environments, details, dependencies, coverage, ...rest } = report;
  const { layers, databases, problems, unassessed, ...covered } = coverage;
  yield { ...rest, coverage: covered };
  for (const map of maps) {
    for (const part of parts(Object.entries(report[map] ?? {}))) yield { [map]: Object.fromEntries(part) };
  }
  for (const list of lists) {
    for (const part of parts<unknown>(coverage[list])) yield { coverage: { [list]: part } };
  }
}
