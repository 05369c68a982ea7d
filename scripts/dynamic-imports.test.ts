/** What sources load only when they need it: of a CommonJS package the bundled command has the default export alone. */
import { globSync, readFileSync } from "node:fs";
import { createRequire, findPackageJSON } from "node:module";
import { resolve } from "node:path";
import { describe, expect, it } from "vitest";

const root = resolve(import.meta.dirname, "..");
const sources = globSync("packages/*/src/**/*.ts", { cwd: root }).filter((file) => !file.endsWith(".test.ts"));
const dynamicImport = /import\("(?<name>[^"./][^"]*)"\)/g;

/** The packages that a source loads by `import(…)`, and how it names what it takes of them. */
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
    "takes the default export of $name, which is CommonJS, in $file",
    ({ taken }) => {
      expect(taken).toMatch(/\{ default: \w+ \}/);
    },
  );
});
