/**
 * Checks the published packages: packs each, installs the tarballs in an empty project without a network, and type-checks and
 * runs programs there as users write them (`scripts/package-programs`), with each TypeScript version and module resolution.
 * Then checks what each import of the engine costs in a bundle.
 *
 *     npm run build && npm run packages
 */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { checkManifest, checkPrograms } from "./lib/check-published.ts";
import { importLimits, tooLargeImports } from "./lib/import-sizes.ts";
import { checkTarball, installTarballs, packPackages } from "./lib/pack-packages.ts";

const folder = mkdtempSync(join(tmpdir(), "plimsoll-packages-"));
process.on("exit", () => rmSync(folder, { recursive: true, force: true }));

const problems: string[] = [];
const packed = packPackages(folder);
for (const each of packed) problems.push(...(await checkManifest(each)), ...(await checkTarball(each)));
installTarballs(packed, folder);
problems.push(...checkPrograms(folder));
const { exports = {} } = packed.find(({ manifest }) => manifest.name === "@plimsoll/core")?.manifest ?? {};
problems.push(...(await tooLargeImports(importLimits(Object.keys(exports)), { folder, conditions: [] })));

for (const problem of problems) console.log(problem);
console.log(`${packed.length} packages, ${problems.length} problems`);
if (problems.length > 0) process.exitCode = 1;
