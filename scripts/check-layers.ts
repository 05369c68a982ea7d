/** Checks the layer rules over every source file, and that no files import each other; prints what broke, and where. */
import { globSync, readFileSync } from "node:fs";
import { importCycles } from "./import-cycles.ts";
import { brokenRules, type SourceFile } from "./layer-rules.ts";

/** Files that still import each other, by the first of each group. Nothing is added here. */
const knownCycles: readonly string[] = [
  "packages/core/src/index/coalesce.ts",
  "packages/core/src/match/lasting-fix.ts",
  "packages/core/src/model/cvss/score-v2.ts",
  "packages/indexer/src/affected-manifests.ts",
  "packages/indexer/src/index-runs.ts",
  "packages/matcher/src/match-service.ts",
  "packages/outbound/src/discard-body.ts",
  "packages/server/src/commands/completion-bash.ts",
  "packages/server/src/serve/compatibility.ts",
  "packages/server/src/serve/notifying.ts",
];

const everything = [
  "packages/*/src/**/*.ts",
  "benchmarks/**/*.ts",
  "examples/**/*.ts",
  "scripts/**/*.ts",
  "tests/**/*.ts",
];
const all: readonly SourceFile[] = globSync(everything, { exclude: ["**/node_modules/**", "**/*.d.ts"] })
  .map((path) => path.replaceAll("\\", "/"))
  .sort()
  .map((path) => ({ path, text: readFileSync(path, "utf8") }));
const sources = all.filter(({ path }) => /^packages\/[^/]+\/src\/(?!.*\bfixtures\/)(?!.*\.test\.ts$)/.test(path));
const broken = [
  ...sources.flatMap((file) => brokenRules(file).map((rule) => `${file.path}: ${rule}`)),
  ...importCycles(all)
    .filter(([first = ""]) => !knownCycles.includes(first))
    .map((cycle) => `import each other: ${cycle.join(", ")}`),
];
for (const line of broken) console.log(line);
console.log(`${sources.length} files, ${broken.length} broken rules`);
if (broken.length > 0) process.exitCode = 1;
