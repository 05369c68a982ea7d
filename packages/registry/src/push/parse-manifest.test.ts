import { describe, expect, it } from "vitest";
import type { BlobStore } from "../ports/blob-store.ts";
import { type ParsedManifest, parseManifest, readImageFacts } from "./parse-manifest.ts";

const noBlobs = {} as BlobStore;

describe("readImageFacts", () => {
  it("drops a label without a key, which no request could ask for", async () => {
    const manifest = { annotations: { "": "lost", team: "blue" } } as unknown as ParsedManifest;

    expect(await readImageFacts(noBlobs, manifest)).toEqual({
      ...{ labels: { team: "blue" }, platform: undefined },
    });
  });

  it.each([
    [{ os: "linux", architecture: "amd64" }, "linux/amd64"],
    [{ os: "linux", architecture: "arm64", variant: "v8" }, "linux/arm64/v8"],
    [{ os: "windows", architecture: "amd64", "os.version": "10.0.1" }, "windows/amd64"],
    [{ os: "linux", architecture: "arm64", variant: 8 }, "linux/arm64"],
    [{ os: "linux" }, undefined],
    [{ architecture: "amd64" }, undefined],
    [{ os: "unknown", architecture: "unknown" }, undefined],
    [{ os: "linux", architecture: "<img src=x>" }, undefined],
    [{ os: "", architecture: "" }, undefined],
    ["no object", undefined],
  ])("reads the platform of a configuration: %j", async (given, platform) => {
    const digest = `sha256:${"0".repeat(64)}`;
    const config = { mediaType: "application/vnd.oci.image.config.v1+json", digest, size: 1 };
    const blobs = {
      find: async () => 1,
      async *read() {
        yield Buffer.from(JSON.stringify(given));
      },
    } as unknown as BlobStore;

    expect(await readImageFacts(blobs, { config, annotations: {} } as unknown as ParsedManifest)).toEqual({
      ...{ labels: {}, platform },
    });
  });

  it("refuses more labels than become rows, of a manifest and of a configuration", async () => {
    const many = Object.fromEntries(Array.from({ length: 1001 }, (_, at) => [`k${at}`, "v"]));
    const type = "application/vnd.oci.image.manifest.v1+json";
    const digest = `sha256:${"0".repeat(64)}`;
    const config = { mediaType: "application/vnd.oci.image.config.v1+json", digest, size: 1 };
    const of = (annotations: unknown) =>
      parseManifest(JSON.stringify({ schemaVersion: 2, config, layers: [], annotations }), type, 100);
    const blobs = {
      find: async () => 1,
      async *read() {
        yield Buffer.from(JSON.stringify({ config: { Labels: many } }));
      },
    } as unknown as BlobStore;
    const refusal = "expected at most 1000 labels and annotations, found 1001";

    expect(() => of(many)).toThrow(refusal);
    await expect(readImageFacts(blobs, of({}))).rejects.toThrow(refusal);
  });

  it.each([
    { what: "is nested", more: `"x":${"[".repeat(200)}${"]".repeat(200)}`, reason: "is nested more than 100 deep" },
    { what: "has many values", more: `"x":[${"0,".repeat(100_000)}0]`, reason: "has more than 100000 values" },
  ])("a manifest that $what is refused before it is parsed", ({ more, reason }) => {
    expect(() => parseManifest(`{"schemaVersion":2,${more}}`, "application/vnd.oci.image.index.v1+json", 100)).toThrow(
      `the manifest ${reason}`,
    );
  });
});
