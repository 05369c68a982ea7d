import { spawnSync } from "node:child_process";
import { globSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { describe, expect, it } from "vitest";
import { portableEngineTests } from "./test-in-browser.ts";

describe("portableEngineTests", () => {
  const files = portableEngineTests(`${import.meta.dirname}/..`);

  it.each(["distributions", "ecosystems", "feeds", "index", "inflate", "layer", "match", "model", "versions"])(
    "has tests of %s",
    (area) => {
      expect(files.filter((file) => file.startsWith(`packages/core/src/${area}/`))).not.toEqual([]);
    },
  );

  it("leaves out tests that need Node, also in files that they import", () => {
    const needsNode = ["bytes/pure-hasher.test.ts", "sqlite/table.test.ts", "index/index-source.test.ts"];

    expect(needsNode.filter((file) => files.includes(`packages/core/src/${file}`))).toEqual([]);
  });
});

const root = resolve(import.meta.dirname, "..");
type Results = Readonly<Record<string, "passed" | "failed" | "skipped">>;

/** What `test-results.mjs unrun` prints about runs of one file, except for tests that are skipped because there is no d. */
function unrunOf(...runs: readonly (readonly Results[])[]): readonly [code: number | null, lines: readonly string[]] {
  const folder = mkdtempSync(join(tmpdir(), "plimsoll-results-"));
  try {
    const files = runs.map((tests, number) => {
      const assertionResults = tests.flatMap((one) =>
        Object.entries(one).map(([fullName, status]) => ({ fullName, status })),
      );
      const file = join(folder, `${number}.json`);
      writeFileSync(file, JSON.stringify({ testResults: [{ name: join(root, "a.test.ts"), assertionResults }] }));
      return file;
    });
    const { status, stdout } = spawnSync(
      process.execPath,
      ["scripts/test-results.mjs", "unrun", "--but", "no d", ...files],
      {
        cwd: root,
        encoding: "utf8",
      },
    );
    return [status, stdout.split("\n").filter(Boolean)];
  } finally {
    rmSync(folder, { recursive: true });
  }
}

it.each<[string, readonly (readonly Results[])[], readonly string[]]>([
  ["nothing of tests that ran in one run", [[{ a: "skipped", b: "passed" }], [{ a: "failed", b: "skipped" }]], []],
  ["a test that every run skipped", [[{ a: "skipped" }], [{ a: "skipped", b: "passed" }]], ["a.test.ts > a"]],
  ["a test of one run that skipped it", [[{ a: "skipped" }], [{ b: "passed" }]], ["a.test.ts > a"]],
  [
    "nothing of a test whose title in one run has the reason why it is skipped",
    [[{ "a (skipped: no b) c": "skipped" }], [{ "a c": "passed" }]],
    [],
  ],
  ["nothing of a test that is skipped for the reason that does not count", [[{ "a (skipped: no d)": "skipped" }]], []],
  ["a name of which one test was skipped", [[{ a: "passed" }, { a: "skipped" }]], ["a.test.ts > a"]],
])("unrun tells %s", (_, runs, names) => {
  expect(unrunOf(...runs)).toEqual([names.length === 0 ? 1 : 0, names]);
});

/** A test that returns before its first assertion counts as passed: it must be skipped instead. */

const files = globSync(["packages/*/src/**/*.test.ts", "tests/**/*.test.ts", "scripts/**/*.test.ts"], { cwd: root });
/** The start of a test or of a row of tests, then at most two declarations, then a return. */
const silentSkip = /=> \{\n(?:\s+(?:const|let) [^\n]*\n){0,2}\s+if \([^\n]*\) (?:return;|\{\n\s+return;\n)/g;
const testHead = /(?:^|\n) *(?:(?:it|test)\b[^\n]*|async (?:\([^\n]*\)|\w+) )$/;

function silentSkipsOf(text: string): readonly string[] {
  return [...text.matchAll(silentSkip)]
    .filter(({ index }) => testHead.test(text.slice(0, index)))
    .map(([found]) => found.split("\n").at(1)?.trim() ?? "");
}

it("no test returns at its start: it uses `it.skipIf`, or `skip` of its context", () => {
  const found = files.flatMap((file) =>
    silentSkipsOf(readFileSync(resolve(root, file), "utf8")).map((line) => [file, line]),
  );

  expect(found).toEqual([]);
});

/** Rows that are left out if they cannot run: reports do not show that they are missing. */
const filteredRows = /\.filter\([^\n]*=>[^\n]*\bskip\b/g;

it("no test file leaves out rows that cannot run: they are skipped by name", () => {
  const found = files.flatMap((file) =>
    [...readFileSync(resolve(root, file), "utf8").matchAll(filteredRows)].map(([line]) => [file, line]),
  );

  expect(found).toEqual([]);
});

it.each([
  ["({ skip }) => skip === undefined", 1],
  ["({ name, skip }) => name === a && !skip", 1],
  ["(engine) => engine.skip === undefined", 1],
  ["({ shared }) => shared", 0],
])("sees the rows left out by %j: %i", (condition, count) => {
  expect([...`testEngines.filter(${condition})`.matchAll(filteredRows)]).toHaveLength(count);
});

it.each([
  ['it("a", () => {\n  if (b) return;\n', 1],
  ['it("a", () => {\n  if (b) {\n    return;\n', 1],
  ['it.each(rows)("a", async ({ b }) => {\n  const { c } = b;\n  if (c) return;\n', 1],
  ['it(\n  "a",\n  async () => {\n    if (b) return;\n', 1],
  ['it("a", () => {\n  expect(b).toBe(c);\n  if (b) return;\n', 0],
  ["function a() {\n  if (b) return;\n", 0],
])("sees the way out of %j: %i", (text, count) => {
  expect(silentSkipsOf(text)).toHaveLength(count);
});
