/**
 * Loads half a million advisories into a new database, as `db import` and the first update of a feed do. For comparison: a plain insert
 * of the same rows with `node:sqlite` in one prepared statement, one transaction and one table. Plimsoll also stores intervals, shared
 * texts and the table for look-ups, and makes the rows visible only at the end. Every run is a new process.
 *
 *     node --conditions=plimsoll-source benchmarks/feed-import.ts
 */
import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { loadavg, tmpdir } from "node:os";
import { join } from "node:path";
import type { MeasuredImport } from "./lib/import-process.ts";
import { median } from "./lib/measure.ts";
import { ranges } from "./lib/synthetic-advisories.ts";

const rounds = 3;
const program = join(import.meta.dirname, "lib/import-process.ts");
const measured: Record<"plimsoll" | "reference", MeasuredImport[]> = { plimsoll: [], reference: [] };
for (let round = 0; round < rounds; round++)
  for (const how of ["reference", "plimsoll"] as const) measured[how].push(measure(how));
for (const [how, runs] of Object.entries(measured)) report(how, runs);
console.log(`${ranges} ranges, medians of ${rounds} processes, load ${loadavg()[0]?.toFixed(2)}`);

function measure(how: string): MeasuredImport {
  const folder = mkdtempSync(join(tmpdir(), "plimsoll-benchmark-"));
  try {
    const given = ["--conditions=plimsoll-source", program, how, join(folder, "advisories.sqlite")];
    return JSON.parse(execFileSync(process.execPath, given, { encoding: "utf8" }));
  } finally {
    rmSync(folder, { recursive: true });
  }
}

function report(how: string, runs: readonly MeasuredImport[]): void {
  const of = (pick: (each: MeasuredImport) => number) => median(runs.map(pick));
  const perSecond = (pick: (each: MeasuredImport) => number) => Math.round(ranges / of(pick));
  const size = (of(({ fileMegabytes }) => fileMegabytes) / (ranges / 100_000)).toFixed(0);
  console.log(
    `${how.padEnd(10)} ${perSecond(({ cpuSeconds }) => cpuSeconds)} rows a CPU second, ${perSecond(({ seconds }) => seconds)} a second, ` +
      `peak ${of(({ peakMegabytes }) => peakMegabytes).toFixed(0)} MB, ${size} MB of file for 100,000 ranges`,
  );
}
