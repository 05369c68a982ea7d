import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { expect, it } from "vitest";

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
