import { describe, expect, it } from "vitest";
import { toCycloneDx } from "./cyclonedx.ts";
import { toCycloneDxXml } from "./cyclonedx-xml.ts";
import { cycloneDxSchema, cycloneDxXmlSchema, fixtureSchema, type SchemaCheck } from "./fixtures/published-schemas.ts";
import { emptyImage, hostileImages, sampleImage, stamp } from "./fixtures/sample-images.ts";
import { toGitHubSnapshot } from "./github-snapshot.ts";
import { toGitLab } from "./gitlab.ts";
import { toOpenVex } from "./openvex.ts";
import type { MatchedImage } from "./reported-image.ts";
import { toSarif } from "./sarif.ts";
import { toSpdx } from "./spdx.ts";
import { toVex } from "./vex.ts";

interface Format {
  readonly name: string;
  readonly schema: () => SchemaCheck;
  readonly write: (image: MatchedImage) => object;
}

const job = { sha: "a".repeat(40), ref: "refs/heads/main", id: "1", correlator: "build scan" };

const formats: readonly Format[] = [
  { name: "CycloneDX 1.6", schema: cycloneDxSchema, write: (image) => toCycloneDx(image, stamp) },
  {
    name: "CycloneDX 1.7",
    schema: () => cycloneDxSchema("1.7"),
    write: (image) => toCycloneDx(image, stamp, "1.7"),
  },
  { name: "SPDX 2.3", schema: () => fixtureSchema("spdx-2.3"), write: (image) => toSpdx(image, stamp) },
  { name: "SARIF 2.1.0", schema: () => fixtureSchema("sarif-2.1.0"), write: (image) => toSarif(image, stamp) },
  { name: "CycloneDX VEX", schema: cycloneDxSchema, write: (image) => toVex(image, stamp) },
  { name: "OpenVEX 0.2.0", schema: openVexSchema, write: (image) => toOpenVex(image, stamp) },
  {
    name: "GitLab container scanning",
    schema: () => fixtureSchema("gitlab-container-scanning-15.2.1"),
    write: (image) => toGitLab(image, stamp),
  },
  {
    name: "GitHub snapshot",
    schema: () => fixtureSchema("github-snapshot"),
    write: (image) => toGitHubSnapshot(image, { ...stamp, job }),
  },
];

/** The published schema; where there is nothing to state, an empty list of statements is what is left to write. */
function openVexSchema(): SchemaCheck {
  const check = fixtureSchema("openvex-0.2.0");
  return (document) => {
    const isEmpty = (document as { statements: unknown[] }).statements.length === 0;
    const problems = check(document);
    return isEmpty ? problems.filter((problem) => !problem.includes("fewer than 1 items")) : problems;
  };
}

const images: readonly (readonly [what: string, image: MatchedImage])[] = [
  ["of a usual image", sampleImage()],
  ["of an empty image", emptyImage()],
  ["of an image with its files", imageWithFiles()],
  ...hostileImages.map(([what, image]) => [`of texts with ${what}`, image] as const),
];

function imageWithFiles(): MatchedImage {
  const image = sampleImage();
  const layer = image.index.manifestDigest;
  const digests = [`md5:${"a".repeat(32)}`, `sha1:${"b".repeat(40)}`, `sha512:${"c".repeat(128)}`, undefined];
  const files = digests.map((digest, at) => ({ path: `usr/bin/${at}`, digest, layer }));
  return { ...image, index: { ...image.index, files: { "1": files, "2": files.slice(0, 1) } } };
}

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

describe.each(["1.6", "1.7"] as const)("a CycloneDX %s document in XML", (version) => {
  const check = cycloneDxXmlSchema(version);
  const some = images.filter(([what]) => /usual|empty|control|files|XML/.test(what));

  it.each(some)("%s is valid by the published schema", async (_, image) => {
    expect(await check(toCycloneDxXml(image, stamp, version))).toEqual([]);
  });

  it("is not valid with elements in another order", async () => {
    const wrong = toCycloneDxXml(sampleImage(), stamp, version).replace("<name>", "<purl>pkg:npm/a@1</purl><name>");

    expect(await check(wrong)).not.toEqual([]);
  });
});
