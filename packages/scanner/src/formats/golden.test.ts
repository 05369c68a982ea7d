import { describe, expect, it } from "vitest";
import { toCycloneDx } from "./cyclonedx.ts";
import { sampleImage, stamp } from "./fixtures/sample-images.ts";
import type { MatchedImage } from "./reported-image.ts";
import { toSpdx } from "./spdx.ts";

const json = (document: object) => `${JSON.stringify(document, undefined, 2)}\n`;

const documents: readonly (readonly [file: string, write: (image: MatchedImage) => string])[] = [
  ["sample.cdx.json", (image) => json(toCycloneDx(image, stamp))],
  ["sample.spdx.json", (image) => json(toSpdx(image, stamp))],
];

describe("the golden documents", () => {
  it.each(documents)("%s is what the sample image gives", async (file, write) => {
    await expect(write(sampleImage())).toMatchFileSnapshot(`fixtures/golden/${file}`);
  });
});
