import { describe, expect, it } from "vitest";
import { findOpenLinks } from "./follow-links.ts";

/** A layer of links to folders of other layers. */
function treeOf(count: number) {
  return {
    links: new Map(Array.from({ length: count }, (_, at) => [`opt/link-${at}`, "/srv/elsewhere"])),
    hasLeaf: (path: string) => path.startsWith("opt/"),
    symbolicLinks: { resolve: () => "srv/elsewhere" },
  };
}

describe("findOpenLinks", () => {
  it.each([
    { count: 10_000, problems: [] },
    {
      count: 10_001,
      problems: [["opt/link-10000", "entry_limit", expect.stringContaining("expected at most 10000 links to folders")]],
    },
  ])("keeps at most 10,000 links of a layer, and says where it stopped ($count)", ({ count, problems }) => {
    const told: unknown[] = [];

    const found = findOpenLinks(treeOf(count), new Map(), { add: (...problem: unknown[]) => void told.push(problem) });

    expect(found).toHaveLength(10_000);
    expect(told).toEqual(problems);
  });
});
