import type { IndexReport } from "@plimsoll/core";
import type { Coverage } from "@plimsoll/core/internal";
import { cooperativeYield } from "@plimsoll/store";
import { lists, maps, type ReportPart } from "./format-report.ts";
import { parsePieces, type TextPieces } from "./text-pieces.ts";

/**
 * Parses the text of {@link formatReport} line by line. Other work of the thread runs in between.
 * @throws SyntaxError for a damaged text
 */
export async function parseReport(pieces: TextPieces): Promise<IndexReport> {
  const report = new PartialReport();
  const yieldToOthers = cooperativeYield();
  for (const part of parsePieces(pieces)) {
    report.add(part as ReportPart);
    await yieldToOthers();
  }
  return report.whole();
}

class PartialReport {
  readonly #maps = {
    packages: {},
    distributions: {},
    repositories: {},
    environments: {},
    details: {},
    dependencies: {},
  };
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

  /** The whole report. Reports that were stored before evidence existed have no `unassessed`. */
  whole(): IndexReport {
    const { coverage, ...first } = this.#first as IndexReport;
    const { status, thirdPartyPackages } = coverage;
    const { details, dependencies, ...inventory } = this.#maps;
    return {
      ...first,
      ...inventory,
      details: unlessEmpty(details),
      dependencies: unlessEmpty(dependencies),
      coverage: { status, ...this.#lists, thirdPartyPackages } as Coverage,
    };
  }
}

/** A map that a report may be without. */
function unlessEmpty<Value extends object>(map: Value): Value | undefined {
  return Object.keys(map).length === 0 ? undefined : map;
}
