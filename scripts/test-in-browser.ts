/**
 * Builds the console, then runs these tests in Chromium: those of the engine (in worker threads as well), of the example that scans in a
 * page, of the HTML report and of the console.
 *
 *     npm run test:browser [-- ARGUMENTS OF VITEST]
 *
 * Without Chromium it prints that nothing was run; with PLIMSOLL_TEST_BROWSER=required it then fails. Where PLIMSOLL_TEST_COMMAND names a
 * built command, the console is built already, and other tests may be using it.
 */
import { spawnSync } from "node:child_process";
import { existsSync, globSync, readFileSync } from "node:fs";
import { delimiter, dirname, join } from "node:path";

/** The headless one first: a page takes a quarter of the processor time there. */
const names = ["chromium-headless-shell", "chromium", "chromium-browser", "google-chrome"];

/** The path of Chromium on this machine: `PLIMSOLL_TEST_CHROMIUM`, or one in the PATH; undefined where there is none. */
export function findChromium(): string | undefined {
  const given = process.env.PLIMSOLL_TEST_CHROMIUM;
  if (given !== undefined) return given;
  const folders = (process.env.PATH ?? "").split(delimiter);
  return names.flatMap((name) => folders.map((folder) => join(folder, name))).find((path) => existsSync(path));
}

/** Matches code that only Node runs: its modules, the test fakes that use them, its globals. */
const ofNode = /from "(?:node:|@plimsoll\/testing)|\b(?:Buffer|process)\./;

/** The engine's tests that need nothing of Node, nor do the files that they import. Paths are from the root of the clone. */
export function portableEngineTests(root: string): readonly string[] {
  const known = new Map<string, boolean>();
  const isPortable = (file: string): boolean => {
    const before = known.get(file);
    if (before !== undefined) return before;
    known.set(file, true); // for imports in a circle
    const text = readFileSync(join(root, file), "utf8");
    const imported = [...text.matchAll(/from "(\.[^"]+\.ts)"/g)].map(([, path = ""]) => join(dirname(file), path));
    const portable = !ofNode.test(text) && imported.every(isPortable);
    known.set(file, portable);
    return portable;
  };
  const files = globSync("packages/core/src/**/*.test.ts", { cwd: root, exclude: ["**/*.corpus.test.ts"] });
  return files.filter(isPortable).sort();
}

if (import.meta.main) {
  const chromium = findChromium();
  if (chromium === undefined) {
    console.log(
      "SKIPPED: there is no Chromium in the PATH; install one (apt-get install chromium-headless-shell) or name it in PLIMSOLL_TEST_CHROMIUM",
    );
    process.exitCode = process.env.PLIMSOLL_TEST_BROWSER === "required" ? 1 : 0;
  } else {
    if (!process.env.PLIMSOLL_TEST_COMMAND)
      spawnSync("npm", ["run", "--silent", "build:console"], { stdio: "inherit" });
    const vitest = ["node_modules/vitest/vitest.mjs", "run", "--config", "vitest.browser.config.ts"];
    const { status } = spawnSync(process.execPath, [...vitest, ...process.argv.slice(2)], { stdio: "inherit" });
    process.exitCode = status ?? 1;
  }
}
