import { existsSync, globSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, it } from "vitest";
import { brokenRules } from "./layer-rules.ts";
import { parseSources } from "./parsed-source.ts";

const root = join(import.meta.dirname, "..");
const read = (path: string) => readFileSync(join(root, path), "utf8");

/** Programs of the how-tos. The first line of one in this repository names its file: `// packages/…/file.ts`. */
const programs = globSync("docs/how-to/*.md", { cwd: root }).flatMap((page) =>
  Array.from(read(page).matchAll(/^```ts\n(.*?)^```/gms), ([, text = ""]) => ({
    page,
    text,
    path: /^\/\/ (packages\/\S+\.ts)\b/.exec(text)?.[1],
  })),
);
const placed = programs.flatMap(({ page, path, text }) => (path === undefined ? [] : [{ page, path, text }]));
const parsed = parseSources(placed.map(({ path, text }) => ({ path, text })));

describe("a program of a how-to", () => {
  it("names its file if it imports another by a relative path", () => {
    const nowhere = programs.filter(({ path, text }) => path === undefined && /from "\.{1,2}\//.test(text));

    expect(nowhere.map(({ page }) => page)).toEqual([]);
    expect(placed.length).toBeGreaterThan(5);
  });

  it.each(parsed.map((file, at) => ({ file, path: file.path, page: placed[at]?.page })))(
    "imports only what exists and may be imported: $path ($page)",
    ({ file }) => {
      expect([...file.imports.flatMap((each) => missingOf(file.path, each)), ...brokenRules(file)]).toEqual([]);
    },
  );
});

/** The missing parts of an import: the file, or names that it does not export. */
function missingOf(
  path: string,
  { specifier, names }: { readonly specifier: string; readonly names: readonly string[] },
) {
  if (!specifier.startsWith(".")) return [];
  const target = join(dirname(path), specifier);
  if (!existsSync(join(root, target))) return [`${target} is not there`];
  const text = read(target);
  const isExported = (name: string) =>
    new RegExp(`^export (?:async )?(?:abstract )?(?:interface|type|class|function\\*?|const) ${name}\\b`, "m").test(
      text,
    );
  return names.filter((name) => !isExported(name)).map((name) => `${target} does not export ${name}`);
}
