/**
 * Matching one image of 500 packages against 500,000 ranges, beside the least that SQLite can do for it: one `json_each`
 * join with `node:sqlite` over a narrow clustered table, its rows as arrays, and no code around. Ours goes all the way
 * from opening the database to settled verdicts. Every run is a fresh process of bundled JavaScript, as it is published;
 * starting Node and loading the bundle is not counted, everything from opening the database on is.
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
  for (let index = 0; index < processes; index++) {
    reference.push(run("reference", referenceDatabase));
    ours.push(run("plimsoll", database));
  }
  const [first] = ours;
  console.log(
    `${packagesPerImage} packages, ${first?.rows} candidate rules, ${first?.affected} affected; medians of ${processes} processes, load ${loadavg()[0]?.toFixed(2)}`,
  );
  report("cold: open, look up", ours, reference, ({ coldLookupMs }) => coldLookupMs);
  report("cold: open, look up, judge", ours, reference, ({ coldMs }) => coldMs);
  report("warm: look up", ours, reference, ({ warmLookupMs }) => warmLookupMs);
  report("warm: look up, judge", ours, reference, ({ warmMs }) => warmMs);
  report("resident after (MB)", ours, reference, ({ megabytes }) => megabytes);
}

function report(
  what: string,
  ours: readonly Measured[],
  reference: readonly Measured[],
  pick: (each: Measured) => number,
): void {
  const [mine, theirs] = [median(ours.map(pick)), median(reference.map(pick))];
  const figures = [mine.toFixed(2), theirs.toFixed(2), (mine / theirs).toFixed(2)].map((figure) => figure.padStart(9));
  console.log(`${what.padEnd(28)} plimsoll ${figures[0]}  raw json_each ${figures[1]}  ratio ${figures[2]}`);
}
