import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { libraryPackages, libraryReference, openLibrarySources } from "./library-reference.ts";

const sources = openLibrarySources();

describe("libraryReference", () => {
  it.each(libraryPackages)("of %s is what docs/reference/library holds; npm run docs writes it", (name) => {
    const page = readFileSync(new URL(`../docs/reference/library/${name}.md`, import.meta.url), "utf8");

    expect(libraryReference(sources, name)).toBe(page);
  });

  it.each(libraryPackages)("of %s has an anchor for each link", (name) => {
    const page = libraryReference(sources, name);
    const headings = [...page.matchAll(/^#+ (.+)$/gm)].map(([, heading = ""]) => heading.toLowerCase());
    const links = [...page.matchAll(/\]\(#([\w-]+?)(?:-\d+)?\)/g)].map(([, anchor = ""]) => anchor);

    expect(links.filter((anchor) => !headings.includes(anchor))).toEqual([]);
  });
});
