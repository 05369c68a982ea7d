/** Checks the layer rules over every source file, and that no files import each other; prints what broke, and where. */
import { globSync, readFileSync } from "node:fs";
import { importCycles } from "./import-cycles.ts";
import { brokenRules, type SourceFile } from "./layer-rules.ts";

const everything = [
  "packages/*/src/**/*.ts",
  "packages/console/web/**/*.{ts,tsx}",
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
  ...importCycles(all).map((cycle) => `import each other: ${cycle.join(", ")}`),
];
for (const line of broken) console.log(line);
console.log(`${sources.length} files, ${broken.length} broken rules`);
if (broken.length > 0) process.exitCode = 1;
