/** Checks the layer rules over every source file, and that no files import each other; prints what broke, and where. */
import { globSync, readFileSync } from "node:fs";
import { importCycles } from "./import-cycles.ts";
import { brokenRules } from "./layer-rules.ts";
import { parseSources } from "./parsed-source.ts";
import { signatureRule } from "./signature-rule.ts";

const everything = [
  "packages/*/src/**/*.{ts,tsx,mts,cts}",
  "packages/console/web/**/*.{ts,tsx,mts,cts}",
  "benchmarks/**/*.ts",
  "examples/**/*.ts",
  "scripts/**/*.ts",
  "tests/**/*.ts",
];
const paths = globSync(everything, { exclude: ["**/node_modules/**", "**/*.d.ts"] })
  .map((path) => path.replaceAll("\\", "/"))
  .sort();
const all = parseSources(paths.map((path) => ({ path, text: readFileSync(path, "utf8") })));
const sources = all.filter(({ path }) =>
  /^packages\/(?:[^/]+\/src|console\/web)\/(?!.*\bfixtures\/)(?!.*\.test\.tsx?$)/.test(path),
);
const broken = [
  ...sources.flatMap((file) => brokenRules(file).map((rule) => `${file.path}: ${rule}`)),
  ...all.flatMap((file) => signatureRule(file).map((rule) => `${file.path}: ${rule}`)),
  ...importCycles(all).map((cycle) => `import each other: ${cycle.join(", ")}`),
];
for (const line of broken) console.log(line);
console.log(`${sources.length} files, ${broken.length} broken rules`);
if (broken.length > 0) process.exitCode = 1;
