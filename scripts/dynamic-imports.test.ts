/** Dynamic imports: in the bundled command a CommonJS package has only a default export. */
import { globSync, readFileSync } from "node:fs";
import { createRequire, findPackageJSON } from "node:module";
import { resolve } from "node:path";
import { describe, expect, it } from "vitest";

const root = resolve(import.meta.dirname, "..");
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
