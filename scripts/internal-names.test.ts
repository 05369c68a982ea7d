/** `@plimsoll/core/internal` has what our packages share, so each name has a reader outside of the engine. */
import { globSync, readFileSync } from "node:fs";
import { resolve } from "node:path";
import { describe, expect, it } from "vitest";

const root = resolve(import.meta.dirname, "..");
const textOf = (file: string) => readFileSync(resolve(root, file), "utf8");

/** The names in the braces of import and export statements. */
function namesOf(statements: Iterable<RegExpExecArray>): readonly string[] {
  return [...statements].flatMap(({ groups }) =>
    (groups?.names ?? "").split(",").map((name) => name.replace(/^\s*(?:type\s)?|\sas\s.*/g, "").trim()),
  );
}

describe("a name of @plimsoll/core/internal", () => {
  it("is imported by another package, a test or a benchmark", () => {
    const readers = globSync("{packages,tests,benchmarks,scripts}/**/*.ts", {
      cwd: root,
      exclude: ["packages/core/**", "**/node_modules/**", "**/dist/**"],
    });
    const statement = /\{(?<names>[^}]*)\} from "@plimsoll\/core\/internal"/g;
    const imported = new Set(readers.flatMap((file) => namesOf(textOf(file).matchAll(statement))));
    const exported = namesOf(textOf("packages/core/src/entries/internal.ts").matchAll(/\{(?<names>[^}]*)\} from/g));

    expect(exported.filter((name) => name !== "" && !imported.has(name))).toEqual([]);
  });
});
