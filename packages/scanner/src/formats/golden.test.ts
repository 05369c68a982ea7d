import { describe, expect, it } from "vitest";
import { toCsv } from "./csv.ts";
import { toCycloneDx } from "./cyclonedx.ts";
import { sampleImage, stamp } from "./fixtures/sample-images.ts";
import { toGitHubSnapshot } from "./github-snapshot.ts";
import { toGitLab } from "./gitlab.ts";
import { toJunit } from "./junit.ts";
import { toMarkdown } from "./markdown.ts";
import { toOpenVex } from "./openvex.ts";
import type { MatchedImage } from "./reported-image.ts";
import { toSarif } from "./sarif.ts";
import { toSpdx } from "./spdx.ts";
import { toVex } from "./vex.ts";

const json = (document: object) => `${JSON.stringify(document, undefined, 2)}\n`;

const job = { sha: "a".repeat(40), ref: "refs/heads/main", id: "1", correlator: "build scan" };

const documents: readonly (readonly [file: string, write: (image: MatchedImage) => string])[] = [
  ["gl-container-scanning-report.json", (image) => json(toGitLab(image, stamp))],
  ["sample.cdx.json", (image) => json(toCycloneDx(image, stamp))],
  ["sample.csv", (image) => `${toCsv(image, stamp)}\n`],
  ["sample.github.json", (image) => json(toGitHubSnapshot(image, { ...stamp, job }))],
  ["sample.junit.xml", (image) => `${toJunit(image, stamp)}\n`],
  ["sample.md", (image) => `${toMarkdown(image, stamp)}\n`],
  ["sample.openvex.json", (image) => json(toOpenVex(image, stamp))],
  ["sample.sarif", (image) => json(toSarif(image, stamp))],
  ["sample.spdx.json", (image) => json(toSpdx(image, stamp))],
  ["sample.vex.json", (image) => json(toVex(image, stamp))],
];

describe("the golden documents", () => {
  it.each(documents)("%s is what the sample image gives", async (file, write) => {
    await expect(write(sampleImage())).toMatchFileSnapshot(`fixtures/golden/${file}`);
  });
});
