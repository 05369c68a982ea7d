import { globSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";

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
