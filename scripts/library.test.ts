/**
 * The documentation of the packages: docstrings and their examples, what is promised, and the names of types. It is all in one file, because reading the
 * sources of all packages takes most of the time of each.
 */
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, relative } from "node:path";
import ts from "typescript-5";
import { afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { allSettings, namesInto, type SettingName, settingNamed } from "../packages/server/src/config/all-settings.ts";
import { compileExamples, exampleProgram, runExamples, saysValues } from "./lib/examples.ts";
import { apiReport, isType, libraryEntries, mentionedTypes } from "./lib/library-exports.ts";
import {
  libraryPackages,
  openLibrarySources,
  openSources,
  promisedPackages,
  type SourcePackage,
  type SourceProgram,
} from "./lib/source-program.ts";
import { goneNames, namesOfPage, type PublicNames, publicNames, publicNamesPage } from "./public-names.ts";

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

  it.each(promisedPackages)("of %s has each name of its own in one place", (name) => {
    const again = libraryEntries(sources, `@plimsoll/${name}`).flatMap(({ specifier, isInternal, exports }) =>
      isInternal
        ? []
        : exports
            .filter(({ documentedAt }) => documentedAt?.startsWith(`@plimsoll/${name}`) === true)
            .map((each) => `${specifier} ${each.name}`),
    );

    // the error alone, for programs that import only subpaths
    const expected = { core: ["ScanError", "ScanErrorCode"], scanner: [] }[name];
    expect(again).toEqual(expected.map((each) => `@plimsoll/core/errors ${each}`));
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
  });

  it("yield the values of their comments", () => {
    expect(runExamples(programs.filter(saysValues), root)).toEqual([]);
  });
});

describe("docs/reference/public-names.md", () => {
  const read = (name: string) => readFileSync(new URL(`../docs/reference/${name}`, import.meta.url), "utf8");
  const page = read("public-names.md");
  let current: PublicNames;
  beforeAll(async () => {
    current = await publicNames(sources);
  });

  it("has no name that is gone", () => {
    const remedy =
      "operators depend on these names: keep them, or delete their rows of the page by hand, and say in .changeset what operators change";

    expect(goneNames(namesOfPage(page), current), remedy).toEqual([]);
  });

  it("has every name; npm run docs writes it", () => {
    expect(publicNamesPage(current, namesOfPage(page))).toBe(page);
  });

  it("has the metrics and labels that the page about them explains", () => {
    const explained = readFileSync(new URL("../docs/reference/metrics.md", import.meta.url), "utf8");
    const rows = explained.matchAll(/^\| `(\w+)` \| \w+ \|([^|]*)\|/gm);
    const labelsOf = (text: string) => Array.from(text.matchAll(/`(\w+)`/g), ([, label = ""]) => label).toSorted();

    expect(Object.fromEntries(current.get("Metrics") ?? [])).toEqual(
      Object.fromEntries(Array.from(rows, ([, name = "", labels = ""]) => [name, labelsOf(labels)])),
    );
  });

  it.each([
    ["an event of a lost port", "Events of the log", "port_lost"],
    ["an event of the last resort", "Events of the log", "stopping_took_too_long"],
    ["a problem of an attached VEX document", "Error codes of problems", "attached_vex"],
    ["a problem of an attached SBOM", "Error codes of problems", "attached_sbom"],
  ] as const)("has %s", (_, section, name) => {
    expect([...(current.get(section)?.keys() ?? [])]).toContain(name);
  });

  it.each([
    ["", "Error codes of the engine"],
    ["Problems in reports", "Error codes of problems"],
    ["Databases", "Error codes of databases"],
    ["Requests", "Error codes of requests"],
    ["Scanner API", "Error codes of the scanner API"],
    ["Management API", "Error codes of the management API"],
    ["Distribution protocol", "Error codes of the distribution protocol"],
  ])("has the codes that docs/reference/errors.md explains: %s", (title, section) => {
    const [first = "", ...others] = read("errors.md").split("\n## ");
    const explained = title === "" ? first : (others.find((each) => each.startsWith(`${title}\n`)) ?? "");

    const codes = Array.from(explained.matchAll(/^\| `([\w-]+)`\s*\| \S.* \| \S.* \|$/gm), ([, code = ""]) => code);

    expect(codes).toEqual([...(current.get(section)?.keys() ?? [])]);
  });

  it("has a section for the error codes of each protocol: a code that is gone in one is told", () => {
    const former = namesOfPage(page);
    const changed: PublicNames = new Map(
      [...former].filter(([section]) => section !== "Error codes of the management API"),
    );

    expect(goneNames(former, changed)).toContain("Error codes of the management API: not_found");
  });

  it("has no member that an event never has", () => {
    const events = current.get("Events of the log");

    expect(events?.get("job_dead")).toContain("err");
    expect([...(events ?? [])].filter(([name, members]) => /^job_/.test(name) && members.includes("err"))).toHaveLength(
      1,
    );
    expect(events?.get("job_enqueued")).toEqual(["id", "job"]);
  });

  it("says what is gone: a label of a metric", () => {
    const former = namesOfPage(page.replace(/^(\| `plimsoll_jobs` \| )`kind`/m, "$1`job`"));

    expect(goneNames(former, current)).toEqual(["Metrics: plimsoll_jobs: job"]);
  });

  it("keeps what is gone until it is deleted by hand", () => {
    const former = namesOfPage(page.replace("| `registry.cache-image` |", "| `registry.bring-image` |"));

    expect(goneNames(former, current)).toEqual(["Kinds of jobs: registry.bring-image"]);
    expect(publicNamesPage(current, former)).toContain("| `registry.bring-image` |\n");
  });
});

/** Sources of programs outside of the code that resolves settings. */
const users = /^packages\/(?!testing\/)[\w-]+\/src\/(?!config\/)/;

describe("a setting", () => {
  it.each([
    { into: "command", file: "packages/server/src/cli/session.ts", type: "Settings" },
    { into: "service", file: "packages/server/src/config/service-settings.ts", type: "ServiceSettings" },
    { into: "registry", file: "packages/registry/src/settings.ts", type: "RegistrySettings" },
  ] as const)("that takes effect in the settings of the $into is read there", ({ into, ...resolved }) => {
    const read = membersRead(sources, { ...resolved, in: users });

    expect(namesInto(into).filter((name) => !read.has(name))).toEqual([]);
  });

  it("that takes effect nowhere under its own name is read by a function that resolves it", () => {
    const given = {
      file: "packages/server/src/config/settings.ts",
      type: "GivenSettings",
      in: /^packages\/server\/src\//,
    };
    const ofCommand = { file: "packages/server/src/cli/session.ts", type: "Settings", in: users };
    const read = [given, ofCommand].map((each) => membersRead(sources, each));

    const names = Object.keys(allSettings) as SettingName[];
    expect(
      names.filter((name) => settingNamed(name).into === undefined && !read.some((each) => each.has(name))),
    ).toEqual([]);
  });
});

/** A type, and the paths of the sources in which reads of its members count. */
interface ReadType {
  readonly file: string;
  readonly type: string;
  readonly in: RegExp;
}

/** The members of a type that programs read in a value of it, or in one of a type for which it may be passed. */
function membersRead(
  { program, checker }: SourceProgram,
  { file, type: name, in: places }: ReadType,
): ReadonlySet<string> {
  const source = program.getSourceFile(join(root, file));
  const module = source && checker.getSymbolAtLocation(source);
  const symbol = module && checker.getExportsOfModule(module).find((each) => each.name === name);
  if (symbol === undefined) throw new Error(`${file} does not export ${name}`);
  const type = checker.getDeclaredTypeOfSymbol(symbol);
  const names = new Set(checker.getPropertiesOfType(type).map((each) => each.name));
  const read = new Set<string>();
  const note = (member: string, place: ts.Node) => {
    if (!names.has(member) || read.has(member)) return;
    const from = checker.getTypeAtLocation(place);
    if (from.getProperty(member) !== undefined && checker.isTypeAssignableTo(type, from)) read.add(member);
  };
  const visit = (node: ts.Node) => {
    if (ts.isPropertyAccessExpression(node)) note(node.name.text, node.expression);
    if (ts.isObjectBindingPattern(node))
      for (const each of node.elements) note((each.propertyName ?? each.name).getText(), node);
    ts.forEachChild(node, visit);
  };
  for (const each of program.getSourceFiles()) {
    const path = relative(root, each.fileName);
    if (places.test(path) && !/\.test\.ts$|\/fixtures\//.test(path)) visit(each);
  }
  return read;
}

describe("every type that an exported name mentions", () => {
  it("is exported as well", () => {
    expect(findUnnamedTypes(sources, root).map(describeUnnamed)).toEqual([]);
  });

  it("is promised as well, if the name is", () => {
    const isHidden = (specifier: string) => /^@plimsoll\/core\/(?:image|report|vex)$/.test(specifier);
    const packages = sources.packages.map(({ name, entries }) => ({
      name,
      entries: entries.map((entry) => ({ ...entry, isInternal: entry.isInternal || isHidden(entry.specifier) })),
    }));
    const found = findUnnamedTypes({ ...sources, packages }, root);

    expect(found.map(({ name }) => name)).toContain("LayerCache");
    expect(new Set(found.map(({ packageName }) => packageName))).toEqual(
      new Set(["@plimsoll/core", "@plimsoll/scanner"]),
    );
  });
});

describe("saysValues", () => {
  it.each([
    ["f(1); // -1", true],
    ['f(1); // "text"', true],
    ["f(1); // [1, undefined, { a: true }]", true],
    ["f(1); // a Fastify instance", false],
    ["f(1); // value", false],
    ["f(1); // a; b", false],
    ["f(1); //", false],
    ["const a = f(1); // 1", false],
  ])("of %s is %s", (text, says) => {
    expect(saysValues({ name: "f", text })).toBe(says);
  });
});

describe("runExamples", () => {
  it.each([
    ["Math.max(1, 2); // 2", []],
    ["Math.max(1, 2); // 3", ["max: Math.max(1, 2); yields 2"]],
    ['import { basename, type ParsedPath } from "node:path";\nbasename("/a/b"); // "b"', []],
    ["const two: number = 2;\n[two]; // [2]", []],
    ["await Promise.resolve(1); // 1", []],
  ])("of %j finds %j", (text, problems) => {
    expect(runExamples([{ name: "max", text }], root)).toEqual(problems);
  });

  it("fails where an example throws", () => {
    expect(() => runExamples([{ name: "max", text: 'throw new Error("sunk");' }], root)).toThrow("sunk");
  });
});

describe("examples of sources", () => {
  const sources = openSources(root, ["packages/http"]);
  const program = (example: string) => exampleProgram(example, "@plimsoll/http", sources.packages);

  it.each([
    ["new RequestError;", 'import { RequestError } from "@plimsoll/http";\n\nnew RequestError;'],
    [
      "declare const it: RequestErrorCode;",
      'import type { RequestErrorCode } from "@plimsoll/http";\n\ndeclare const it: RequestErrorCode;',
    ],
    ["const RequestError = 1; RequestError;", "const RequestError = 1; RequestError;"],
    ["({ RequestError: 1 }).RequestError;", "({ RequestError: 1 }).RequestError;"],
    ['import { a } from "a";\na();', 'import { a } from "a";\n\na();'],
  ])("of %j is %j as a program", (example, expected) => {
    expect(program(example)).toBe(expected);
  });

  it.each([
    ['throw new RequestError("unauthorized", "sign in first");', 0],
    ["throw new RequestError(1);", 1],
    ["sail();", 1],
  ])("%j has %i problems for the compiler", (example, count) => {
    const found = compileExamples([{ name: "it", text: program(example) }], sources, join(root, "scripts"));

    expect(found).toHaveLength(count);
  });
});

describe("findUnnamedTypes", () => {
  let folder: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), "plimsoll-types-"));
    mkdirSync(join(folder, "packages/ship/src"), { recursive: true });
    writeFileSync(
      join(folder, "packages/ship/src/parts.ts"),
      `export interface Sail {}
/** @internal */
export interface Plumbing {}
interface Hidden {}
export interface Ship { readonly sails: readonly Sail[]; readonly plumbing: Plumbing; }
export function build(_: Ship): void { const hidden: Hidden = {}; void hidden; }`,
    );
    writeFileSync(join(folder, "packages/ship/src/internal.ts"), "export type { Sail } from './parts.ts';");
  });
  afterEach(() => rmSync(folder, { recursive: true }));

  it.each([
    ["@plimsoll/core", "{ build }", ["Ship"]],
    ["@plimsoll/core", "{ build, type Ship }", []], // the sail is reached through the ship
    ["@plimsoll/core", "{ build, type Sail }", ["Ship"]],
    ["ship", "{ build, type Ship }", []],
    ["@plimsoll/core", "{ build, type Ship, type Sail }", []],
  ])("of %s with the names %s finds %j", (name, exported, names) => {
    const exports = {
      ".": { "plimsoll-source": "./src/index.ts" },
      "./internal": { "plimsoll-source": "./src/internal.ts" },
    };
    writeFileSync(join(folder, "packages/ship/package.json"), JSON.stringify({ name, type: "module", exports }));
    writeFileSync(join(folder, "packages/ship/src/index.ts"), `export ${exported} from "./parts.ts";`);

    const found = findUnnamedTypes(openSources(folder, ["packages/ship"]), folder);

    expect(found.map((each) => each.name)).toEqual(names);
  });
});

/**
 * A type that the interface of a package mentions, but that callers cannot name: no entry exports it. A package that promises its names exports what its functions,
 * classes and constants take and yield; what its types mention is reached through these, and stands in its api.txt. The internal entries count only for declarations
 * of packages that promise nothing.
 */
interface UnnamedType {
  readonly packageName: string;
  /** The exported name whose declaration mentions it. */
  readonly mentionedBy: string;
  readonly name: string;
  /** The file that declares it, from the root of the clone. */
  readonly file: string;
}

/**
 * Finds the types that callers cannot name.
 * @param root the clone: types that are declared outside of its packages are not ours to export
 */
function findUnnamedTypes({ checker, packages }: SourceProgram, root: string): UnnamedType[] {
  const exportedBy = new Map(packages.map((each) => [each, exportsOf(each)]));
  const promised = new Set([...exportedBy.values()].flatMap((symbols) => [...symbols.keys()]));
  const internal = new Set(packages.flatMap(({ entries }) => entries.flatMap(({ symbols }) => [...symbols.values()])));
  const found = new Map<ts.Symbol, UnnamedType>();
  for (const [{ name: packageName }, symbols] of exportedBy) {
    const isPromised = promisedPackages.some((name) => packageName === `@plimsoll/${name}`);
    const named = isPromised ? promised : internal;
    for (const [symbol, mentionedBy] of symbols) {
      if (isPromised && isType(symbol)) continue;
      for (const mentioned of mentionedTypes(symbol, checker, isPromised ? "all" : "used")) {
        const file = mentioned.declarations?.[0]?.getSourceFile().fileName ?? "";
        const path = relative(root, file);
        if (named.has(mentioned) || found.has(mentioned) || !path.startsWith("packages/")) continue;
        if (isPlumbing(mentioned) || isNamedByTables(path)) continue;
        found.set(mentioned, { packageName, mentionedBy, name: mentioned.name, file: path });
      }
    }
  }
  return [...found.values()];
}

/** Types that only compute other types have the tag `@internal`: callers name the results. */
function isPlumbing(symbol: ts.Symbol): boolean {
  return symbol.getJsDocTags().some(({ name }) => name === "internal");
}

/** Callers name a row by its table: `IndexerTables["indexer_run"]`. */
function isNamedByTables(path: string): boolean {
  return path.includes("/store/tables");
}

function exportsOf({ entries }: SourcePackage): Map<ts.Symbol, string> {
  const promised = entries.filter(({ isInternal }) => !isInternal);
  return new Map(promised.flatMap(({ symbols }) => [...symbols].map(([name, symbol]) => [symbol, name] as const)));
}

/** The problem in one line. */
function describeUnnamed({ packageName, mentionedBy, name, file }: UnnamedType): string {
  return `${packageName}: ${mentionedBy} mentions ${name} of ${file}, which no package exports to callers`;
}
