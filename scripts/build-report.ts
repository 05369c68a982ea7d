/**
 * Compiles the console's components for the HTML report, and writes them into a module of `@plimsoll/scanner`:
 * `node scripts/build-report.ts`. A test compiles them again and compares the result.
 */
import { writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { compileReport } from "./lib/compile-report.ts";

const target = fileURLToPath(
  new URL("../packages/scanner/src/formats/html/report-parts.generated.ts", import.meta.url),
);
const text = await compileReport();
writeFileSync(target, text);
console.log(`${target}: ${text.length} characters`);
