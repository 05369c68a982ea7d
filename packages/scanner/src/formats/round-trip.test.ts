import { distributionPackageKey, type Package, type Purl, readSbom, type SbomPackage } from "@plimsoll/core";
import { describe, expect, it } from "vitest";
import { listComponents } from "./components.ts";
import { toCycloneDx } from "./cyclonedx.ts";
import { sampleImage, stamp } from "./fixtures/sample-images.ts";
import { toSpdx } from "./spdx.ts";

const formats = [
  ["CycloneDX", toCycloneDx, /"cpe":/g],
  ["SPDX", toSpdx, /"cpe23Type"/g],
] as const;

interface Named {
  readonly package: Omit<Package, "id" | "source">;
  readonly purl?: Purl | string;
}

const named = ({ package: { name, version }, purl }: Named) => [name, version, purl];

describe("readSbom of what is written here", () => {
  it.each(formats)("%s: gives the packages of the image back", (format, write) => {
    const image = sampleImage();
    const bytes = new TextEncoder().encode(JSON.stringify(write(image, stamp)));

    const sbom = readSbom(bytes, format);

    expect(sbom.packages.map(named)).toEqual(listComponents(image.index).map(named));
    expect(sbom.packages.length).toBe(3);
    expect([sbom.format, sbom.problems]).toEqual([format, []]);
  });

  it.each(formats)("%s: gives back which package of the distribution owns another", (format, write) => {
    const image = sampleImage();
    const { index } = image;
    const owner = { id: "owner", name: "libssl3", key: distributionPackageKey };
    const owned = Object.entries(index.environments).map(([id, places]) => {
      const withOwner = places.map((place) => ({
        ...place,
        distributionId: "1",
        repositoryIds: [...place.repositoryIds, "owner"],
      }));
      return [id, places.every(({ repositoryIds }) => repositoryIds.length > 0) ? withOwner : places];
    });
    const report = {
      ...index,
      repositories: { ...index.repositories, owner },
      environments: Object.fromEntries(owned),
    };

    const bytes = new TextEncoder().encode(JSON.stringify(write({ ...image, index: report }, stamp)));

    const ownerIn = ({ package: { name }, repositories }: SbomPackage) => [
      name,
      repositories.find(({ key }) => key === distributionPackageKey)?.name,
    ];
    expect(readSbom(bytes, format).packages.map(ownerIn)).toEqual(
      listComponents(report).map((component) => [component.package.name, component.owner]),
    );
    expect(listComponents(report).map((component) => component.owner)).toContain("libssl3");
  });

  it.each(formats)(
    "%s: has a CPE name of every package, and takes none for evidence that was a guess",
    (format, write, cpe) => {
      const image = sampleImage();
      const text = JSON.stringify(write(image, stamp));

      const { packages } = readSbom(new TextEncoder().encode(text), format);

      const proven = listComponents(image.index).map((component) => component.cpe);
      expect(text.match(cpe)).toHaveLength(packages.length + 1); // the distribution has one, too
      expect(packages.map((each) => each.package.cpe)).toEqual(proven);
    },
  );
});
