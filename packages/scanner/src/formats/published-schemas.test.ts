import { describe, expect, it } from "vitest";
import { toCycloneDx } from "./cyclonedx.ts";
import { cycloneDxSchema, fixtureSchema, type SchemaCheck } from "./fixtures/published-schemas.ts";
import { emptyImage, hostileImages, sampleImage, stamp } from "./fixtures/sample-images.ts";
import type { MatchedImage } from "./reported-image.ts";
import { toSpdx } from "./spdx.ts";

interface Format {
  readonly name: string;
  readonly schema: () => SchemaCheck;
  readonly write: (image: MatchedImage) => object;
}

const formats: readonly Format[] = [
  { name: "CycloneDX 1.6", schema: cycloneDxSchema, write: (image) => toCycloneDx(image, stamp) },
  { name: "SPDX 2.3", schema: () => fixtureSchema("spdx-2.3"), write: (image) => toSpdx(image, stamp) },
];

const images: readonly (readonly [what: string, image: MatchedImage])[] = [
  ["of a usual image", sampleImage()],
  ["of an empty image", emptyImage()],
  ...hostileImages.map(([what, image]) => [`of texts with ${what}`, image] as const),
];

describe.each(formats)("a $name document", ({ schema, write }) => {
  const check = schema();

  it.each(images)("%s is valid by the published schema", (_, image) => {
    const document = JSON.parse(JSON.stringify(write(image)));

    expect(check(document)).toEqual([]);
  });

  it("is the same for the same image", () => {
    expect(JSON.stringify(write(sampleImage()))).toBe(JSON.stringify(write(sampleImage())));
  });
});
