import { existsSync, globSync, readFileSync } from "node:fs";
import { basename } from "node:path/posix";
import { describe, expect, it } from "vitest";
import { importCycles } from "./import-cycles.ts";
import { parseSources } from "./parsed-source.ts";
import { areaCalls, areaRule, depthOf, withAreaDiagram } from "./registry-areas.ts";

const areas = Object.keys(areaCalls);

describe("areaCalls", () => {
  it("has no cycle", () => {
    const files = Object.entries(areaCalls).map(([path, called]) => ({
      path: `${path}.ts`,
      text: called.map((each) => `import "./${each}.ts";`).join(""),
    }));

    expect(importCycles(parseSources(files))).toEqual([]);
  });

  it("is at most six arrows deep", () => {
    expect(Math.max(...areas.map(depthOf))).toBeLessThanOrEqual(6);
  });

  it("is the diagram in docs/architecture.md; npm run docs writes it", () => {
    const page = readFileSync(new URL("../docs/architecture.md", import.meta.url), "utf8");

    expect(page).toContain("flowchart TD");
    expect(page).toBe(withAreaDiagram(page));
  });

  it("has folders of rules, each with a README", () => {
    const without = areas.filter((area) => !existsSync(`packages/registry/src/${area}/README.md`));

    expect(without).toEqual([]);
  });

  it("has the folder of each README", () => {
    const folders = globSync("packages/registry/src/*/README.md").map((path) =>
      basename(path.replace("/README.md", "")),
    );

    expect(
      folders.filter((folder) => areaRule([folder, "a.ts"], ["accounts", "b.ts"])[0]?.includes("missing")),
    ).toEqual([]);
  });
});

describe("areaRule", () => {
  it.each([
    { from: "push/a.ts", to: "content/b.ts", problem: undefined },
    {
      from: "content/a.ts",
      to: "push/b.ts",
      problem: "content/ calls push/: scripts/registry-areas.ts does not allow that",
    },
    {
      from: "values/a.ts",
      to: "push/b.ts",
      problem: "values/a.ts imports push/: files that all areas use may call none of them",
    },
    { from: "push/a.ts", to: "jobs.ts", problem: "imports jobs.ts, which assembles everything: no other file may" },
    { from: "pages/a.ts", to: "http/b.ts", problem: undefined },
    { from: "puns/a.ts", to: "push/b.ts", problem: "puns/ is missing in scripts/registry-areas.ts" },
  ])("of $from that imports $to", ({ from, to, problem }) => {
    expect(areaRule(from.split("/"), to.split("/"))).toEqual(problem === undefined ? [] : [problem]);
  });
});
