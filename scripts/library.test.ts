/**
 * The documentation of the packages: docstrings and their examples, what is promised, and the names of types. It is all in one file, because reading the
 * sources of all packages takes most of the time of each.
 */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { apiReport } from "./api-report.ts";
import { compileExamples, exampleProgram, runExamples, saysValues } from "./lib/examples.ts";
import { libraryEntries } from "./lib/library-exports.ts";
import { libraryPackages, openLibrarySources, promisedPackages } from "./lib/source-program.ts";
import { describeUnnamed, findUnnamedTypes } from "./lib/unnamed-types.ts";
import { goneNames, namesOfPage, publicNames, publicNamesPage } from "./public-names.ts";

const root = join(import.meta.dirname, "..");
const sources = openLibrarySources();
const exported = libraryPackages.flatMap((name) =>
  libraryEntries(sources, `@plimsoll/${name}`).flatMap(({ specifier, isInternal, exports }) =>
    exports.filter((each) => each.documentedAt === undefined).map((each) => ({ ...each, specifier, isInternal })),
  ),
);
const promised = exported.filter(({ isInternal }) => !isInternal);
const programs = exported.flatMap(({ name, specifier, examples }) =>
  examples.map((example) => ({
    name: `${specifier} ${name}`,
    text: exampleProgram(example, specifier, sources.packages),
  })),
);

describe("apiReport", () => {
  it.each(promisedPackages)("of %s is its api.txt; if the change is meant, npm run docs writes it", (name) => {
    const report = readFileSync(new URL(`../packages/${name}/api.txt`, import.meta.url), "utf8");

    expect(apiReport(sources, name)).toBe(report);
  });

  it("has the whole declarations, without comments", () => {
    const report = apiReport(sources, "core");

    expect(report).toContain("\nfunction parseDigest(text: string): Digest;\n");
    expect(report).not.toMatch(/\*\/|…/);
  });

  it("has no member with the tag @internal", () => {
    expect(apiReport(sources, "core")).toMatch(/interface Engine \{(?=[^}]* state: string;)(?![^}]*keysState)/);
  });
});

describe("the docstring of each public export", () => {
  it("has a description", () => {
    expect(promised.filter(({ meaning }) => meaning === "").map(({ name }) => name)).toEqual([]);
  });

  it.each(libraryPackages)("of %s has an example if it is a function or a class", (name) => {
    const without = promised.filter(
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

  it("yield the values of their comments", () => {
    expect(runExamples(programs.filter(saysValues), root)).toEqual([]);
  }, 60_000);
});

describe("docs/reference/public-names.md", () => {
  const page = readFileSync(new URL("../docs/reference/public-names.md", import.meta.url), "utf8");
  const current = publicNames(sources);

  it("has no name that is gone", () => {
    const remedy =
      "operators depend on these names: keep them, or delete their rows of the page by hand, and say in .changeset what operators change";

    expect(goneNames(namesOfPage(page), current), remedy).toEqual([]);
  });

  it("has every name; npm run docs writes it", () => {
    expect(publicNamesPage(current, namesOfPage(page))).toBe(page);
  });

  it("has the metrics that the page about them explains", () => {
    const explained = readFileSync(new URL("../docs/reference/metrics.md", import.meta.url), "utf8");
    const names = Array.from(explained.matchAll(/^\| `(\w+)` \|/gm), ([, name = ""]) => name);

    expect([...(current.get("Metrics") ?? new Map()).keys()]).toEqual(names.toSorted());
  });

  it("keeps what is gone until it is deleted by hand", () => {
    const former = namesOfPage(page.replace("| `registry.cache-image` |", "| `registry.bring-image` |"));

    expect(goneNames(former, current)).toEqual(["Kinds of jobs: registry.bring-image"]);
    expect(publicNamesPage(current, former)).toContain("| `registry.bring-image` |\n");
  });
});

describe("every type that an exported name mentions", () => {
  it("is exported as well", () => {
    expect(findUnnamedTypes(sources, root).map(describeUnnamed)).toEqual([]);
  }, 60_000);

  it("is promised as well, if the name is", () => {
    const isImage = (specifier: string) => specifier === "@plimsoll/core/image";
    const packages = sources.packages.map(({ name, entries }) => ({
      name,
      entries: entries.map((entry) => ({ ...entry, isInternal: entry.isInternal || isImage(entry.specifier) })),
    }));
    const found = findUnnamedTypes({ ...sources, packages }, root);

    expect(found.map(({ name }) => name)).toContain("ImageConfig");
    expect(new Set(found.map(({ packageName }) => packageName))).toEqual(
      new Set(["@plimsoll/core", "@plimsoll/scanner"]),
    );
  });
});
