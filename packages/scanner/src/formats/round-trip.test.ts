import { readSbom } from "@plimsoll/core";
import { describe, expect, it } from "vitest";
import { listComponents } from "./components.ts";
import { toCycloneDx } from "./cyclonedx.ts";
import { sampleImage, stamp } from "./fixtures/sample-images.ts";
import { toSpdx } from "./spdx.ts";

describe("readSbom of what is written here", () => {
  it.each([
    ["CycloneDX", toCycloneDx],
    ["SPDX", toSpdx],
  ] as const)("%s: gives the packages of the image back", (format, write) => {
    const image = sampleImage();
    const bytes = new TextEncoder().encode(JSON.stringify(write(image, stamp)));

    const sbom = readSbom(bytes, format);

    const named = listComponents(image.index).map(({ package: { name, version }, purl }) => [name, version, purl]);
    expect(sbom.packages.map(({ package: { name, version }, purl }) => [name, version, purl])).toEqual(named);
    expect(sbom.packages.length).toBe(3);
    expect([sbom.format, sbom.problems]).toEqual([format, []]);
  });
});
