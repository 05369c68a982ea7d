import { globSync, readFileSync } from "node:fs";
import { createRequire, findPackageJSON } from "node:module";
import { dirname, relative, resolve } from "node:path";
import { describe, expect, it } from "vitest";
import { importLimits, tooLargeImports } from "./lib/import-sizes.ts";

/** What an import of `@plimsoll/core` costs in a bundle. `npm run packages` checks the same of the published package. */

const root = resolve(import.meta.dirname, "..");
const folder = resolve(root, "packages/core");
const { exports, dependencies } = JSON.parse(readFileSync(resolve(folder, "package.json"), "utf8"));
const place = { folder, conditions: ["plimsoll-source"] };

describe("an import of a subpath of @plimsoll/core", () => {
  it("costs what it needs", async () => {
    expect(await tooLargeImports(importLimits(Object.keys(exports)), place)).toEqual([]);
  });

  it("is measured", async () => {
    const limit = { specifier: "@plimsoll/core/errors", names: "{ ScanError }", maxBytes: 10 };

    expect(await tooLargeImports([limit], place)).toEqual([
      expect.stringMatching(
        /^import \{ ScanError \} of @plimsoll\/core\/errors costs \d{2,} bytes, expected at most 10$/,
      ),
    ]);
  });
});

/** `@plimsoll/core/internal` has what our packages share, so each name has a reader outside of the engine. */

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

/** The imports of the program of threads that read layers: a thread is started while an image waits, and needs no database and no feed. */

const staticImport = /^(?:import|export) (?<names>type )?[^;]*?from "(?<specifier>[^"]+)"/gm;

/** The direct and indirect imports of a source, without types: files below the root, and packages. */
function loadedBy(file: string, seen = new Set<string>()): ReadonlySet<string> {
  if (seen.has(relative(root, file))) return seen;
  seen.add(relative(root, file));
  for (const { groups } of readFileSync(file, "utf8").matchAll(staticImport)) {
    const { names, specifier = "" } = groups ?? {};
    if (names !== undefined) continue;
    const source = specifier.startsWith(".") ? resolve(dirname(file), specifier) : sourceOf(specifier);
    if (source?.endsWith(".ts")) loadedBy(source, seen);
    else seen.add(specifier);
  }
  return seen;
}

/** The source of what another of our packages exports: `@plimsoll/core/errors`, `@plimsoll/registry/settings`. */
function sourceOf(specifier: string): string | undefined {
  const [, name, path = ""] = /^@plimsoll\/([\w-]+)(\/.+)?$/.exec(specifier) ?? [];
  if (name === undefined) return undefined;
  const of = resolve(root, "packages", name);
  const { exports: all } = JSON.parse(readFileSync(resolve(of, "package.json"), "utf8"));
  const source = all[`.${path}`] ?? all["./*"];
  return resolve(of, source["plimsoll-source"].replace("*", path.slice(1)));
}

describe("the start of the command", () => {
  const loaded = [...loadedBy(resolve(root, "packages/server/src/main.ts"))];

  it("loads no library but the parser of the command line", () => {
    expect(loaded.filter((name) => !/^packages\/|^node:|\.json$/.test(name))).toEqual(["commander"]);
  });

  it("loads no list of all that a package exports: a bundler keeps what such a list names in one chunk", () => {
    expect(loaded).toContain("packages/registry/src/settings.ts");
    expect(loaded.filter((name) => /\/src\/(?:index|entries\/internal)\.ts$/.test(name))).toEqual([]);
  });
});

describe("the program of the threads that read layers", () => {
  const loaded = [...loadedBy(resolve(root, "packages/indexer/src/layer-worker.ts"))];

  it("loads only the engine, its libraries and Node's modules", () => {
    const packages = loaded.filter((name) => !name.startsWith("packages/") && !name.startsWith("node:"));
    const libraries = Object.keys(dependencies);
    expect(packages.filter((name) => !libraries.some((each) => `${name}/`.startsWith(`${each}/`)))).toEqual([]);
    expect(loaded.filter((name) => /^packages\/(?!core|indexer)/.test(name))).toEqual([]);
  });

  it("loads no list of feeds, and no library of theirs", () => {
    expect(loaded).toContain("packages/core/src/entries/layer-engine.ts");
    expect(loaded.filter((name) => /^packages\/core\/src\/(?:feeds|enrichers)\/all|^yaml$/.test(name))).toEqual([]);
  });

  it("loads no file of the indexer's store", () => {
    expect(loaded).toContain("packages/indexer/src/adapters/pool/serve-layers.ts");
    expect(loaded.filter((name) => name.startsWith("packages/indexer/src/store/"))).toEqual([]);
  });
});

/** Dynamic imports: in the bundled command a CommonJS package has only a default export. */

const sources = globSync("packages/*/src/**/*.ts", { cwd: root }).filter((file) => !file.endsWith(".test.ts"));
const dynamicImport = /import\("(?<name>[^"./][^"]*)"\)/g;

/** The packages that a source loads with `import(…)`, and the names that it uses of them. */
const found = sources.flatMap((file) => {
  const text = readFileSync(resolve(root, file), "utf8");
  return [...text.matchAll(dynamicImport)].map(({ index, groups }) => ({
    file,
    name: groups?.name ?? "",
    taken: text.slice(text.lastIndexOf("\n", index) + 1, index),
  }));
});

function isCommonJs(name: string, file: string): boolean {
  if (name.startsWith("node:") || name.startsWith("@plimsoll/")) return false;
  createRequire(resolve(root, file)).resolve(name);
  const description = findPackageJSON(name, resolve(root, file)) ?? "";
  const { type, exports } = JSON.parse(readFileSync(description, "utf8")) as { type?: string; exports?: unknown };
  return type !== "module" && !JSON.stringify(exports ?? "").includes('"import"');
}

describe("import(…) of a package", () => {
  it.each(found.filter(({ name, file }) => isCommonJs(name, file)))(
    "uses the default export of $name, which is CommonJS, in $file",
    ({ taken }) => {
      expect(taken).toMatch(/\{ default: \w+ \}/);
    },
  );
});
