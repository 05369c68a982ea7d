import { safeText } from "@plimsoll/core/internal/safe-text";
import { type CliIo, writeLines } from "../../cli/io.ts";
import type { ImportReport, KindCounts, ReportEntry } from "../../importing/report.ts";
import { type Column, layOutTable } from "../../render/table.ts";

/** The formats of an import report. */
export type ReportFormat = "table" | "json";

/** Writes what was copied, what existed already, and what was not copied with the reason. */
export function writeImportReport(
  io: CliIo,
  report: ImportReport,
  { format, isDryRun }: { readonly format: ReportFormat; readonly isDryRun: boolean },
): void {
  const { counts, entries } = report;
  if (format === "json") {
    io.stdout.write(`${JSON.stringify({ dryRun: isDryRun, counts, entries }, undefined, 2)}\n`);
    return;
  }
  if (isDryRun) io.stdout.write("dry run: nothing was changed\n");
  writeLines(io.stdout, layOutTable(countColumns, counts, io.stdout.columns));
  const noted = entries.filter(({ note }) => note !== undefined);
  if (noted.length > 0) writeLines(io.stdout, ["", ...layOutTable(noteColumns, noted, io.stdout.columns)]);
}

const countColumns: readonly Column<KindCounts>[] = [
  { title: "KIND", text: ({ kind }) => kind },
  { title: "TAKEN", text: ({ taken }) => `${taken}` },
  { title: "HERE ALREADY", text: ({ present }) => `${present}` },
  { title: "NOT TAKEN", text: ({ notTaken }) => `${notTaken}` },
];

const outcomes = { taken: "taken", present: "here already", "not taken": "not taken" } as const;

const noteColumns: readonly Column<ReportEntry>[] = [
  { title: "KIND", text: ({ kind }) => kind },
  { title: "NAME", text: ({ name }) => safeText(name), least: 20 },
  { title: "OUTCOME", text: ({ outcome }) => outcomes[outcome] },
  { title: "NOTE", text: ({ note = "" }) => safeText(note) },
];
