/** Checks the layer rules over every source file; prints what broke, and where. */
import { globSync, readFileSync } from "node:fs";
import { brokenRules } from "./layer-rules.ts";

const paths = globSync("packages/*/src/**/*.ts", { exclude: ["**/*.test.ts", "**/*.d.ts", "**/fixtures/**"] })
  .map((path) => path.replaceAll("\\", "/"))
  .sort();
const broken = paths.flatMap((path) =>
  brokenRules({ path, text: readFileSync(path, "utf8") }).map((rule) => `${path}: ${rule}`),
);
for (const line of broken) console.log(line);
console.log(`${paths.length} files, ${broken.length} broken rules`);
if (broken.length > 0) process.exitCode = 1;
