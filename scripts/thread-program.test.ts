/** The imports of the program of threads that read layers: a thread is started while an image waits, and needs no database and no feed. */
import { readFileSync } from "node:fs";
import { dirname, relative, resolve } from "node:path";
import { describe, expect, it } from "vitest";

const root = resolve(import.meta.dirname, "..");
const engine = resolve(root, "packages/core");
const { exports, dependencies } = JSON.parse(readFileSync(resolve(engine, "package.json"), "utf8"));
const staticImport = /^(?:import|export) (?<names>type )?[^;]*?from "(?<specifier>[^"]+)"/gm;

/** The direct and indirect imports of a source, without types: files below the root, and packages. */
function loadedBy(file: string, seen = new Set<string>()): ReadonlySet<string> {
  if (seen.has(relative(root, file))) return seen;
  seen.add(relative(root, file));
  for (const { groups } of readFileSync(file, "utf8").matchAll(staticImport)) {
    const { names, specifier = "" } = groups ?? {};
    if (names !== undefined) continue;
    const source = exports[specifier.replace("@plimsoll/core", ".")]?.["plimsoll-source"];
    if (specifier.startsWith(".")) loadedBy(resolve(dirname(file), specifier), seen);
    else if (source !== undefined) loadedBy(resolve(engine, source), seen);
    else seen.add(specifier);
  }
  return seen;
}

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
