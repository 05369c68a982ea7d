import { globSync, readFileSync } from "node:fs";
import { basename, dirname } from "node:path/posix";
import { describe, expect, it } from "vitest";
import { importCycles } from "./import-cycles.ts";
import { parseSources } from "./parsed-source.ts";
import { resourceCalls, withResourceDiagram } from "./registry-resources.ts";

const resources = Object.entries(resourceCalls);

describe("resourceCalls", () => {
  it("has no cycle", () => {
    const files = resources.map(([path, called]) => ({
      path: `${path}.ts`,
      text: called.map((each) => `import "./${each}.ts";`).join(""),
    }));

    expect(importCycles(parseSources(files))).toEqual([]);
  });

  it("is the diagram in docs/architecture.md; npm run docs writes it", () => {
    const page = readFileSync(new URL("../docs/architecture.md", import.meta.url), "utf8");

    expect(page).toContain("flowchart TD");
    expect(page).toBe(withResourceDiagram(page));
  });

  it("has every folder with a README, and no other", () => {
    const folders = globSync("packages/registry-api/src/*/README.md").map((path) => basename(dirname(path)));

    expect(folders.sort()).toEqual(Object.keys(resourceCalls).sort());
  });

  it.each(resources)("of %s are those in its README", (resource, called) => {
    const readme = readFileSync(`packages/registry-api/src/${resource}/README.md`, "utf8");
    const names = [...called].sort().map((name) => `\`${name}\``);

    expect(readme).toContain(`Calls: ${names.join(", ") || "no other resource"}.`);
  });
});
