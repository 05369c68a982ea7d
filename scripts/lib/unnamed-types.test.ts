import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { openSources } from "./source-program.ts";
import { findUnnamedTypes } from "./unnamed-types.ts";

describe("findUnnamedTypes", () => {
  let folder: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), "plimsoll-types-"));
    mkdirSync(join(folder, "packages/ship/src"), { recursive: true });
    const exports = {
      ".": { "plimsoll-source": "./src/index.ts" },
      "./internal": { "plimsoll-source": "./src/internal.ts" },
    };
    writeFileSync(
      join(folder, "packages/ship/package.json"),
      JSON.stringify({ name: "ship", type: "module", exports }),
    );
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
    ["export { build } from './parts.ts';", ["Ship"]],
    ["export { build, type Ship } from './parts.ts';", ["Sail"]],
    ["export { build, type Ship, type Sail } from './parts.ts';", []],
  ])("of %s finds %j", (index, names) => {
    writeFileSync(join(folder, "packages/ship/src/index.ts"), index);

    const found = findUnnamedTypes(openSources(folder, ["packages/ship"]), folder);

    expect(found.map(({ name }) => name)).toEqual(names);
  });
});
