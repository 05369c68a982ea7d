/**
 * What a vitest run says of itself, for the gate.
 *
 *     node scripts/test-results.mjs counts FILE      prints "PASSED FAILED SKIPPED"
 *     node scripts/test-results.mjs failures FILE    prints what failed: file, name and the beginning of each message
 *
 * FILE is what the reporter `json` wrote. Exits with 1 where it cannot be read, and where no failure is to be told.
 */
import { readFileSync } from "node:fs";
import { relative } from "node:path";

const messageLines = 12;
const [what, file = ""] = process.argv.slice(2);
const results = JSON.parse(readFileSync(file, "utf8"));

if (what === "counts") {
  console.log(results.numPassedTests, results.numFailedTests, results.numPendingTests);
} else {
  const failures = results.testResults.flatMap(failuresOf);
  for (const failure of failures) console.log(failure);
  process.exitCode = failures.length === 0 ? 1 : 0;
}

function failuresOf({ name, status, message, assertionResults }) {
  const tests = assertionResults.filter((test) => test.status === "failed");
  if (tests.length === 0) return status === "failed" ? [described(name, "", message)] : [];
  return tests.map(({ fullName, failureMessages }) => described(name, fullName, failureMessages.join("\n")));
}

function described(path, name, message) {
  const lines = message.trim().split("\n").slice(0, messageLines);
  return [`FAILED ${relative(process.cwd(), path)} > ${name}`, ...lines.map((line) => `       ${line}`)].join("\n");
}
