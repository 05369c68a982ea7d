import { describe, expect, it } from "vitest";
import { emptyImage, hostileImages, sampleImage, stamp } from "./fixtures/sample-images.ts";
import { toMarkdown } from "./markdown.ts";
import { markdownText } from "./markdown-text.ts";

describe("toMarkdown", () => {
  it("says how many there are, what is the worst, and that not everything was assessed", () => {
    const text = toMarkdown(sampleImage(), stamp);

    expect(text).toContain(
      "**3 findings (1 Critical, 2 Unknown), 1 known to be exploited in what could be assessed.** 1 more suppressed by statements.",
    );
    expect(text).toContain("Not everything was assessed (5)");
    expect(text).toContain(
      "| [CVE-2023-5678](<https://security.example/CVE-2023-5678>) | Critical | libssl3 | 3.0.11-1&#126;deb12u1 | 3.0.13-1&#126;deb12u1 | 25.0% | **yes** |",
    );
  });

  it("does not say that nothing is wrong where nothing could be told", () => {
    expect(toMarkdown(emptyImage(), stamp)).toContain("0 findings in what could be assessed.");
  });

  it("says how many findings are not shown", () => {
    expect(toMarkdown(sampleImage(), { ...stamp, shows: ({ severity }) => severity === "Critical" })).toContain(
      "2 not shown",
    );
  });

  it.each(hostileImages)("fits into a comment and keeps its own markup with %s", (_, image) => {
    const text = toMarkdown(image, stamp);
    const rows = text.split("\n").filter((line) => line.startsWith("| "));

    expect(text.length).toBeLessThan(65_536);
    expect(rows.map((row) => row.split(" | ").length)).toEqual(rows.map(() => 7));
    expect(text).not.toMatch(/<script|<img|\]\(javascript|@team/);
  });
});

describe("markdownText", () => {
  it.each([
    ["a_b*c", "a&#95;b&#42;c"],
    ["https://a.example", "https&#58;//a.example"],
    ["www.a.example", "www&#46;a.example"],
    ["1. a", "1&#46; a"],
    ["- a\nb", "&#45; a b"],
    ["libstdc++6", "libstdc&#43;&#43;6"],
  ])("%s", (text, expected) => {
    expect(markdownText(text)).toBe(expected);
  });
});
