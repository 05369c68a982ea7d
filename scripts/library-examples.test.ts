import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { compileExamples } from "./lib/compile-examples.ts";
import { exampleProgram } from "./lib/example-program.ts";
import { libraryEntries } from "./lib/library-exports.ts";
import { runExamples, saysValues } from "./lib/run-examples.ts";
import { libraryPackages, openLibrarySources } from "./library-reference.ts";

const root = join(import.meta.dirname, "..");
const sources = openLibrarySources();
const exported = libraryPackages.flatMap((name) =>
  libraryEntries(sources, `@plimsoll/${name}`).flatMap(({ specifier, exports }) =>
    exports.filter((each) => each.documentedAt === undefined).map((each) => ({ ...each, specifier })),
  ),
);
const exampled = libraryPackages;
const programs = exported.flatMap(({ name, specifier, examples }) =>
  examples.map((example) => ({
    name: `${specifier} ${name}`,
    text: exampleProgram(example, specifier, sources.packages),
  })),
);

describe("the docstring of each public export", () => {
  it("says what it is", () => {
    expect(exported.filter(({ meaning }) => meaning === "").map(({ name }) => name)).toEqual([]);
  });

  it.each(exampled)("of %s has an example where it is a function or a class", (name) => {
    const without = exported.filter(
      ({ specifier, kind, examples }) =>
        specifier.startsWith(`@plimsoll/${name}`) && (kind === "function" || kind === "class") && examples.length === 0,
    );

    expect(without.map(({ specifier, name }) => `${specifier} ${name}`)).toEqual([]);
  });
});

describe("the examples of docstrings", () => {
  it("compile against the sources", () => {
    expect(compileExamples(programs, sources, join(root, "scripts"))).toEqual([]);
  }, 60_000);

  it("yield what their comments say", () => {
    expect(runExamples(programs.filter(saysValues), root)).toEqual([]);
  }, 60_000);
});
