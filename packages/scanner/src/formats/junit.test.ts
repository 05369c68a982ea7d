import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { validateXML } from "xmllint-wasm";
import { emptyImage, hostileImages, sampleImage, stamp } from "./fixtures/sample-images.ts";
import { toJunit } from "./junit.ts";
import type { MatchedImage } from "./reported-image.ts";

const schema = readFileSync(new URL("fixtures/schemas/junit-10.xsd", import.meta.url), "utf8");

const images: readonly (readonly [what: string, image: MatchedImage])[] = [
  ["a usual image", sampleImage()],
  ["an empty image", emptyImage()],
  ...hostileImages.map(([what, image]) => [`texts with ${what}`, image] as const),
];

describe("toJunit", () => {
  it.each(images)("is valid by the published schema for %s", async (_, image) => {
    const found = await validateXML({ xml: toJunit(image, stamp), schema });

    expect(found.errors).toEqual([]);
  });

  it("has a failed test for each finding, a test that could not run for each gap, and a skipped one for each suppressed finding", () => {
    const text = toJunit(sampleImage(), stamp);
    const count = (tag: string) => text.split(`<${tag} `).length - 1;

    expect([count("failure"), count("error"), count("skipped")]).toEqual([3, 5, 1]);
    expect(text).toContain('tests="9" failures="3" errors="5" skipped="1"');
    expect(text).toContain(
      'message="Critical: libssl3 3.0.11-1~deb12u1 is affected by CVE-2023-5678, fixed in 3.0.13-1~deb12u1"',
    );
  });

  it("never passes a test where nothing could be told", () => {
    const text = toJunit(emptyImage(), stamp);

    expect(text).toContain('tests="1" failures="0" errors="1"');
    expect(text).not.toContain('name="no findings"');
  });
});
