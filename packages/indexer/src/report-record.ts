import type { Coverage, IndexReport } from "@plimsoll/core";
import { fairTurns } from "@plimsoll/store";
import { parsePieces, parts, type TextPieces, toPieces } from "./text-pieces.ts";

/**
 * An index report as text. Each line is a part of the report: members of its maps and items of its lists come in several lines,
 * everything else in the first. A line with the whole report is one too: reports were stored so before.
 */
export function formatReport(report: IndexReport): TextPieces {
  return toPieces(Array.from(partsOf(report), (part) => JSON.stringify(part)));
}

const maps = ["packages", "distributions", "repositories", "environments"] as const;
const lists = ["layers", "databases", "problems", "unassessed"] as const;

type ReportPart = Partial<Omit<IndexReport, "coverage">> & { readonly coverage?: Partial<Coverage> };

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

/**
 * The report of {@link formatReport}, read line by line: whoever else has something to do gets a turn in between.
 * @throws SyntaxError when the text is damaged
 */
export async function parseReport(pieces: TextPieces): Promise<IndexReport> {
  const report = new PartialReport();
  const giveTurn = fairTurns();
  for (const part of parsePieces(pieces)) {
    report.add(part as ReportPart);
    await giveTurn();
  }
  return report.whole();
}

class PartialReport {
  readonly #maps = { packages: {}, distributions: {}, repositories: {}, environments: {} };
  readonly #lists: Record<(typeof lists)[number], unknown[]> = {
    layers: [],
    databases: [],
    problems: [],
    unassessed: [],
  };
  #first: ReportPart | undefined;

  add(part: ReportPart): void {
    this.#first ??= part;
    for (const map of maps) Object.assign(this.#maps[map], part[map]);
    for (const list of lists) for (const item of part.coverage?.[list] ?? []) this.#lists[list].push(item);
  }

  /** Reports that were stored before evidence was kept have no `unassessed`. */
  whole(): IndexReport {
    const { coverage, ...first } = this.#first as IndexReport;
    const { status, thirdPartyPackages } = coverage;
    return { ...first, ...this.#maps, coverage: { status, ...this.#lists, thirdPartyPackages } as Coverage };
  }
}
