/**
 * Evaluates the results of vitest runs, for `.ci/run`.
 *
 *     node scripts/test-results.mjs counts FILE      prints "PASSED FAILED SKIPPED"
 *     node scripts/test-results.mjs failures FILE    prints what failed: file, name and the beginning of each message
 *     node scripts/test-results.mjs unrun FILE...    prints the tests that ran in none of these runs: file and name
 *     node scripts/test-results.mjs unrun --but REASON FILE...    without those that are skipped for REASON
 *
 * FILE is the output of the reporter `json`. Exits with 1 if it cannot be read, and if there is nothing to print. Tests with the
 * same file and the same name are the same test; the reason why one is skipped (`skipNote`) is not part of its name.
 */
import { readFileSync } from "node:fs";
import { relative } from "node:path";

const messageLines = 12;
const skipNotes = / \(skipped: [^)]*\)/g;
const [what, ...words] = process.argv.slice(2);
const [reason, files] = words[0] === "--but" ? [words[1], words.slice(2)] : [undefined, words];
const runs = files.map((file) => JSON.parse(readFileSync(file, "utf8")));
const [results] = runs;

if (what === "counts") console.log(results.numPassedTests, results.numFailedTests, results.numPendingTests);
else if (what === "failures") printLines(results.testResults.flatMap(failuresOf));
else if (what === "unrun") printLines(testsThatNeverRan());
else throw new Error(`expected counts, failures or unrun, found ${what}`);

function printLines(lines) {
  for (const line of lines) console.log(line);
  process.exitCode = lines.length === 0 ? 1 : 0;
}

/** If a file has several tests of one name, one run must have run all of them. */
function testsThatNeverRan() {
  const counts = new Map();
  for (const [name, { all, ran }] of runs.flatMap((run) => [...countsByName(run)])) {
    const before = counts.get(name) ?? { all: 0, ran: 0 };
    counts.set(name, { all: Math.max(all, before.all), ran: Math.max(ran, before.ran) });
  }
  return [...counts].filter(([, { all, ran }]) => ran < all).map(([name]) => name);
}

function countsByName({ testResults }) {
  const counts = new Map();
  for (const { name, assertionResults } of testResults) {
    for (const { fullName, status } of assertionResults) {
      const key = `${relative(process.cwd(), name)} > ${fullName.replaceAll(skipNotes, "")}`;
      const count = counts.get(key) ?? { all: 0, ran: 0 };
      count.all += 1;
      if (status === "passed" || status === "failed") count.ran += 1;
      else if (fullName.includes(`(skipped: ${reason})`)) count.all -= 1;
      counts.set(key, count);
    }
  }
  return counts;
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
