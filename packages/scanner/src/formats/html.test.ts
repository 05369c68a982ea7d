import { describe, expect, it } from "vitest";
import { emptyImage, hostileImages, sampleImage, stamp } from "./fixtures/sample-images.ts";
import { toHtml } from "./html.ts";

/** Every tag of a page, without its attributes. */
const tagsOf = (page: string) => [...page.matchAll(/<\/?([a-z][a-z0-9]*)/gi)].map(([, name]) => name);

describe("toHtml", () => {
  it("has the findings with their evidence, and coverage in plain sight", () => {
    const page = toHtml(sampleImage(), stamp);

    expect(page).toContain(
      '<a href="https://security.example/CVE-2023-5678" rel="noreferrer noopener" target="_blank">CVE-2023-5678</a>',
    );
    expect(page).toContain("<b>Not everything was assessed.</b>");
    expect(page).toContain("<li>No loaded feed covers npm.</li>");
    expect(page).toContain("25.0% within 30 days");
    expect(page).toContain(`<code>var/lib/dpkg/status in layer sha256:${"b".repeat(64)}</code>`);
  });

  it("does not say that nothing is wrong where nothing could be told", () => {
    expect(toHtml(emptyImage(), stamp)).toContain("No findings in what could be assessed.");
  });

  it("writes one of a thing in the singular", () => {
    const image = sampleImage();
    const { coverage } = image.vulnerabilities;
    const [layers, databases] = [coverage.layers.slice(0, 1), coverage.databases.slice(0, 1)];
    const vulnerabilities = { ...image.vulnerabilities, coverage: { ...coverage, layers, databases } };
    let shown = 0;
    const page = toHtml({ ...image, vulnerabilities }, { ...stamp, shows: () => shown++ === 0 });

    expect(page).toContain(" – 1 finding</title>");
    expect(page).toContain("<summary>1 layer, 1 package database</summary>");
  });

  it("asks no network", () => {
    const page = toHtml(sampleImage(), stamp);

    expect(page).not.toMatch(/\b(src|srcset|action|poster)=|url\(|@import|<link|fetch\(/);
    expect(page).toContain("default-src 'none'");
  });

  it.each(hostileImages)("has the tags of a usual page with %s, and no others", (_, image) => {
    const usual = new Set(tagsOf(toHtml(sampleImage(), stamp)));
    const page = toHtml(image, stamp);

    expect(tagsOf(page).filter((tag) => !usual.has(tag))).toEqual([]);
    expect(page.split("<script").length).toBe(2);
    expect(page).not.toMatch(/(?:href|on\w+)="javascript:/);
  });
});
