import { describe, expect, it } from "vitest";
import { parseDigest } from "../model/digest.ts";
import type { IndexReport } from "../model/index-report.ts";
import { chainsIn, dependencyGraph } from "./dependency-graph.ts";

/** A report of packages 1 to `count` with these needs. */
function reportOf(
  count: number,
  needs: Readonly<Record<string, readonly string[]>>,
  unmet: readonly string[] = [],
): IndexReport {
  const ids = Array.from({ length: count }, (_, index) => String(index + 1));
  return {
    manifestDigest: parseDigest(`sha256:${"0".repeat(64)}`),
    state: "IndexFinished",
    success: true,
    packages: Object.fromEntries(ids.map((id) => [id, { id, name: `p${id}`, version: "1", kind: "BINARY" as const }])),
    distributions: {},
    repositories: {},
    environments: {},
    dependencies: Object.fromEntries(
      Object.entries(needs).map(([id, packageIds]) => [
        id,
        { packageIds, unmet: unmet.includes(id) ? ["gone"] : undefined },
      ]),
    ),
    coverage: { status: "complete", layers: [], databases: [], problems: [], unassessed: [], thirdPartyPackages: 0 },
  };
}

describe("dependencyGraph", () => {
  it("hangs what nothing needs on the image, and one of each circle", () => {
    const graph = dependencyGraph(reportOf(7, { 1: ["2"], 2: [], 3: ["4"], 4: ["3"], 5: ["3", "6"], 6: ["6"] }, ["2"]));

    expect(graph).toMatchObject({ roots: ["1", "5", "7"], incomplete: ["2"], unknown: ["7"] });
    expect(dependencyGraph(reportOf(2, { 1: ["2"], 2: ["1"] }))?.roots).toEqual(["1"]);
  });

  it("does not know the rest of what is needed where only a part is shown", () => {
    const { dependencies, ...report } = reportOf(2, { 1: ["2"], 2: [] });
    const partly = { ...dependencies, 1: { packageIds: ["2"], isPartial: true } } as const;

    expect(dependencyGraph({ ...report, dependencies: partly })).toMatchObject({ roots: ["1"], unknown: ["1"] });
  });

  it("is not there for a report that was made without", () => {
    const { dependencies, ...report } = reportOf(1, {});

    expect(dependencyGraph(report)).toBeUndefined();
  });
});

describe("chainsIn", () => {
  it.each<[string, Readonly<Record<string, readonly string[]>>, readonly string[] | undefined]>([
    ["the shortest chain", { 1: ["2"], 2: ["3"], 3: ["4"], 5: ["3"] }, ["5", "3", "4"]],
    ["a root", { 4: ["1"] }, ["4"]],
    ["a circle", { 3: ["4"], 4: ["3"] }, ["3", "4"]],
  ])("finds %s", (_, needs, chain) => {
    const graph = dependencyGraph(reportOf(5, needs));

    expect(graph && chainsIn(graph)("4")).toEqual(chain);
    expect(graph && chainsIn(graph)("9")).toBeUndefined();
  });
});
