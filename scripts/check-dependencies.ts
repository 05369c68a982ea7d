/**
 * Checks the dependencies: the rules of the lock file, and known vulnerabilities (`dependency-rules.ts`).
 *
 *     npm run dependencies
 *
 * Exits with 1 if there is a problem. If the registry answers no audit, the last line says that vulnerabilities are unknown, and `.ci/run`
 * shows them as not tested.
 */
import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { judgeAudit, lockProblems } from "./dependency-rules.ts";

const lock = JSON.parse(readFileSync("package-lock.json", "utf8"));
const { stdout } = spawnSync("npm", ["audit", "--json"], { encoding: "utf8", timeout: 120_000 });
const audit = judgeAudit(stdout, lock);
const problems = [...lockProblems(lock), ...(audit?.problems ?? [])];
for (const note of audit?.notes ?? []) console.log(`no problem: ${note}`);
for (const problem of problems) console.error(problem);
if (audit === undefined) console.log("npm audit: no answer, so known vulnerabilities are not tested");
const known = audit === undefined ? "of the lock file; vulnerabilities are unknown" : "of dependencies";
console.log(`${problems.length} problems ${known}`);
process.exitCode = problems.length === 0 ? 0 : 1;
