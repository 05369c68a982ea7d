/** The imports of the program of threads that read layers: a thread is started while an image waits, and needs no database. */
import { readFileSync } from "node:fs";
import { dirname, relative, resolve } from "node:path";
import { describe, expect, it } from "vitest";

const root = resolve(import.meta.dirname, "..");
const staticImport = /^(?:import|export) (?<names>type )?[^;]*?from "(?<specifier>[^"]+)"/gm;

/** The direct and indirect imports of a source, without types: files below the root, and packages. */
function loadedBy(file: string, seen = new Set<string>()): ReadonlySet<string> {
  if (seen.has(relative(root, file))) return seen;
  seen.add(relative(root, file));
  for (const { groups } of readFileSync(file, "utf8").matchAll(staticImport)) {
    const { names, specifier = "" } = groups ?? {};
    if (names !== undefined) continue;
    if (specifier.startsWith(".")) loadedBy(resolve(dirname(file), specifier), seen);
    else seen.add(specifier);
  }
  return seen;
}

describe("the program of the threads that read layers", () => {
  const loaded = [...loadedBy(resolve(root, "packages/indexer/src/layer-worker.ts"))];

  it("loads only the engine and Node's modules", () => {
    const packages = loaded.filter((name) => !name.startsWith("packages/") && !name.startsWith("node:"));
    expect(packages.filter((name) => !/^@plimsoll\/core(?:\/|$)/.test(name))).toEqual([]);
  });

  it("loads no file of the indexer's store", () => {
    expect(loaded).toContain("packages/indexer/src/adapters/pool/serve-layers.ts");
    expect(loaded.filter((name) => name.startsWith("packages/indexer/src/store/"))).toEqual([]);
  });
});
