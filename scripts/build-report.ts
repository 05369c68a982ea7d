/**
 * Compiles the console's components for the report as a file, and writes the module that `@plimsoll/scanner` has them in:
 * `node scripts/build-report.ts`. A test compiles them again and compares.
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
