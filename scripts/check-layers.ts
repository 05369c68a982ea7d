/** Checks the layer rules over every source file, and the limits of the structure; prints what broke, and where. */
import { globSync, readFileSync } from "node:fs";
import { brokenRules } from "./layer-rules.ts";
import { exceededLimits, structureCounts, structureFigures } from "./measure-structure.ts";
import { parseSources } from "./parsed-source.ts";
import { signatureRule } from "./signature-rule.ts";

function checkLayers(): void {
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
  const files = paths.map((path) => ({ path, text: readFileSync(path, "utf8") }));
  const all = parseSources(files);
  const sources = all.filter(({ path }) =>
    /^packages\/(?:[^/]+\/src|console\/web)\/(?!.*\bfixtures\/)(?!.*\.test\.tsx?$)/.test(path),
  );
  const broken = [
    ...sources.flatMap((file) => brokenRules(file).map((rule) => `${file.path}: ${rule}`)),
    ...all.flatMap((file) => signatureRule(file).map((rule) => `${file.path}: ${rule}`)),
    ...exceededLimits(structureFigures(files, { parsed: all, counts: structureCounts() })),
  ];
  for (const line of broken) console.log(line);
  console.log(`${sources.length} files, ${broken.length} broken rules`);
  if (broken.length > 0) process.exitCode = 1;
}

if (import.meta.main) checkLayers();
