/**
 * Checks the dependencies: the rules of the lock file (`lock-rules.ts`), and known vulnerabilities of what is published.
 *
 *     npm run dependencies
 *
 * Exits with 1 if there is a problem. If the registry answers no audit, it says so and exits with 0.
 */
import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { lockProblems } from "./lock-rules.ts";

interface AuditReport {
  readonly vulnerabilities?: Readonly<Record<string, { readonly severity: string; readonly range: string }>>;
}

const problems = [...lockProblems(JSON.parse(readFileSync("package-lock.json", "utf8"))), ...vulnerabilities()];
for (const problem of problems) console.error(problem);
console.log(`${problems.length} problems of dependencies`);
process.exitCode = problems.length === 0 ? 0 : 1;

function vulnerabilities(): readonly string[] {
  const { stdout } = spawnSync("npm", ["audit", "--omit=dev", "--json"], { encoding: "utf8", timeout: 120_000 });
  const { vulnerabilities: found } = parseReport(stdout);
  if (found === undefined) console.log("npm audit: no answer, so known vulnerabilities are not checked");
  return Object.entries(found ?? {}).map(
    ([name, { severity, range }]) => `${name} ${range}: a known vulnerability, ${severity}`,
  );
}

function parseReport(text: string): AuditReport {
  try {
    return JSON.parse(text);
  } catch {
    return {};
  }
}
