/**
 * Matches one image of 500 packages against 500,000 ranges. For comparison, the minimum in SQLite: one `json_each` join with
 * `node:sqlite` on a narrow clustered table, with rows as arrays. Plimsoll's time covers everything from opening the database to settled
 * verdicts. The third contestant runs that join and compares the installed versions with the fixed ones. Every run is a new process of
 * bundled JavaScript, as it is published; the time starts when the database is opened, after Node has started and loaded the bundle.
 *
 *     node --conditions=plimsoll-source benchmarks/match.ts
 */
import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync, statSync } from "node:fs";
import { loadavg, tmpdir } from "node:os";
import { join } from "node:path";
import { build } from "tsup";
import { copyRanges, loadAdvisories } from "./lib/advisory-database.ts";
import type { Measured } from "./lib/match-process.ts";
import { median } from "./lib/measure.ts";
import { packagesPerImage, ranges } from "./lib/synthetic-advisories.ts";

const processes = 11;
const scratch = mkdtempSync(join(tmpdir(), "plimsoll-benchmark-"));

try {
  const database = join(scratch, "advisories.sqlite");
  const start = performance.now();
  await loadAdvisories(database);
  const seconds = ((performance.now() - start) / 1000).toFixed(1);
  const peakMegabytes = (process.resourceUsage().maxRSS * 1024) / 1e6;
  console.log(
    `built ${ranges} ranges in ${seconds} s, ${(statSync(database).size / 1e6).toFixed(0)} MB, peak ${peakMegabytes.toFixed(0)} MB RSS`,
  );
  const referenceDatabase = join(scratch, "reference.sqlite");
  copyRanges(database, referenceDatabase);
  compare(await bundleProgram(), database, referenceDatabase);
} finally {
  rmSync(scratch, { recursive: true });
}

async function bundleProgram(): Promise<string> {
  await build({
    entry: ["benchmarks/lib/match-process.ts"],
    outDir: scratch,
    outExtension: () => ({ js: ".mjs" }),
    format: "esm",
    target: "es2024",
    platform: "node",
    config: false,
    silent: true,
    splitting: true,
    noExternal: [/.*/],
    external: ["pg-native"],
    removeNodeProtocol: false,
    banner: { js: 'import { createRequire } from "node:module"; const require = createRequire(import.meta.url);' },
    esbuildOptions(options) {
      options.conditions = ["plimsoll-source"];
    },
  });
  return join(scratch, "match-process.mjs");
}

function compare(program: string, database: string, referenceDatabase: string): void {
  const run = (...given: readonly string[]): Measured =>
    JSON.parse(execFileSync(process.execPath, [program, ...given], { encoding: "utf8" }));
  const ours: Measured[] = [];
  const reference: Measured[] = [];
  const least: Measured[] = [];
  for (let index = 0; index < processes; index++) {
    reference.push(run("reference", referenceDatabase));
    least.push(run("least", referenceDatabase));
    ours.push(run("plimsoll", database));
  }
  const [first] = ours;
  if (first?.affected !== least[0]?.affected) throw new Error("the contestants disagree on what is affected");
  const contestants = { ours, reference, least };
  console.log(
    `${packagesPerImage} packages, ${first?.rows} candidate rules, ${first?.affected} affected; medians of ${processes} processes, load ${loadavg()[0]?.toFixed(2)}`,
  );
  report("cold: open, look up", contestants, ({ coldLookupMs }) => coldLookupMs);
  report("cold: open, look up, judge", contestants, ({ coldMs }) => coldMs);
  report("warm: look up", contestants, ({ warmLookupMs }) => warmLookupMs);
  report("warm: look up, judge", contestants, ({ warmMs }) => warmMs);
  report("resident after (MB)", contestants, ({ megabytes }) => megabytes);
}

type Contestants = Readonly<Record<"ours" | "reference" | "least", readonly Measured[]>>;

function report(what: string, contestants: Contestants, pick: (each: Measured) => number): void {
  const of = (runs: readonly Measured[]) => median(runs.map(pick));
  const [ours, reference, least] = [of(contestants.ours), of(contestants.reference), of(contestants.least)];
  const [mine, theirs, ratio, needed] = [ours, reference, ours / reference, least].map((figure) =>
    figure.toFixed(2).padStart(9),
  );
  console.log(
    `${what.padEnd(28)} plimsoll ${mine}  raw json_each ${theirs}  ratio ${ratio}  join and compare ${needed}`,
  );
}
