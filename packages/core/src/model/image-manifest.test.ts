import { describe, expect, it } from "vitest";
import {
  isAttestation,
  maxDocumentBytes,
  pairLayers,
  parseImageConfig,
  parseImageIndex,
  parseImageManifest,
} from "./image-manifest.ts";
import type { Json } from "./json-value.ts";

const digestOf = (letter: string): string => `sha256:${letter.repeat(64)}`;
const encode = (value: Json): Uint8Array => new TextEncoder().encode(JSON.stringify(value));

const config = { mediaType: "application/vnd.oci.image.config.v1+json", digest: digestOf("c"), size: 7 };
const layer = { mediaType: "application/vnd.oci.image.layer.v1.tar+gzip", digest: digestOf("1"), size: 32 };
const manifest = {
  schemaVersion: 2,
  mediaType: "application/vnd.oci.image.manifest.v1+json",
  config,
  layers: [layer],
  annotations: { "org.opencontainers.image.title": "x" },
};
const dockerManifest = { ...manifest, mediaType: "application/vnd.docker.distribution.manifest.v2+json" };
const index = {
  schemaVersion: 2,
  mediaType: "application/vnd.oci.image.index.v1+json",
  manifests: [
    {
      mediaType: manifest.mediaType,
      digest: digestOf("a"),
      size: 500,
      platform: { os: "linux", architecture: "arm64", variant: "v8" },
    },
    {
      mediaType: manifest.mediaType,
      digest: digestOf("b"),
      size: 501,
      platform: { os: "unknown", architecture: "unknown" },
      annotations: { "vnd.docker.reference.type": "attestation-manifest" },
    },
  ],
};
const imageConfig = {
  created: "2024-01-02T03:04:05.678901234Z",
  architecture: "arm",
  os: "linux",
  variant: "v6",
  rootfs: { type: "layers", diff_ids: [digestOf("d")] },
  history: [
    { created: "2024-01-02T03:04:05Z", created_by: "ADD file in /" },
    { created_by: "CMD [sh]", empty_layer: true },
    { created: "yesterday" },
  ],
};

describe("parseImageIndex", () => {
  it("reads the manifests with their platforms", () => {
    expect(parseImageIndex(encode(index), "index")).toEqual({
      mediaType: index.mediaType,
      annotations: {},
      manifests: [
        {
          mediaType: manifest.mediaType,
          digest: digestOf("a"),
          sizeBytes: 500,
          platform: { os: "linux", architecture: "arm64" },
          annotations: {},
        },
        {
          mediaType: manifest.mediaType,
          digest: digestOf("b"),
          sizeBytes: 501,
          platform: { os: "unknown", architecture: "unknown" },
          annotations: { "vnd.docker.reference.type": "attestation-manifest" },
        },
      ],
    });
  });

  it.each([
    ["no manifests", {}, "index: manifests: expected an array, found nothing"],
    ["a manifest", manifest, `index: mediaType: expected an image index, found "${manifest.mediaType}"`],
    ["an array", [], "index: expected an object, found an array"],
  ])("refuses %s", (_, document, message) => {
    expect(() => parseImageIndex(encode(document), "index")).toThrow(message);
  });
});

describe("lists that are null, as programs in Go write empty ones", () => {
  it("are empty", () => {
    const document = { ...manifest, layers: null, annotations: null };

    expect(parseImageIndex(encode({ manifests: null, annotations: null }), "index").manifests).toEqual([]);
    expect(parseImageManifest(encode(document), "manifest")).toMatchObject({ layers: [], annotations: {} });
    expect(
      parseImageConfig(encode({ rootfs: { diff_ids: null }, history: null, config: null }), "config"),
    ).toMatchObject({ diffIds: [], history: [] });
  });
});

describe("parseImageManifest", () => {
  it.each([
    ["OCI", manifest],
    ["Docker schema 2", dockerManifest],
    ["without a media type of its own", { config, layers: [layer], annotations: manifest.annotations }],
  ])("reads %s", (_, document) => {
    const parsed = parseImageManifest(encode(document), "manifest");

    expect(parsed.config).toEqual({
      mediaType: config.mediaType,
      digest: config.digest,
      sizeBytes: 7,
      annotations: {},
    });
    expect(parsed.layers).toEqual([
      { mediaType: layer.mediaType, digest: layer.digest, sizeBytes: 32, annotations: {} },
    ]);
    expect(parsed.annotations).toEqual(manifest.annotations);
  });

  it.each([
    ["a missing config", { ...manifest, config: null }, "config: expected an object, found null"],
    ["missing layers", { schemaVersion: 2, config }, "layers: expected an array, found nothing"],
    ["a null layer", { ...manifest, layers: [layer, null] }, "layers[1]: expected an object, found null"],
    ["a size of 1.5", { ...manifest, layers: [{ ...layer, size: 1.5 }] }, "layers[0].size: expected a whole number"],
    ["a negative size", { ...manifest, config: { ...config, size: -1 } }, "config.size: expected a whole number"],
    ["a layer without media type", { ...manifest, layers: [{ ...layer, mediaType: 1 }] }, "layers[0].mediaType: "],
    ["an index", index, "mediaType: expected an image manifest, found"],
    ["schema version 3", { ...manifest, schemaVersion: 3 }, "schemaVersion: expected 2"],
    ["annotations that are no strings", { ...manifest, annotations: { a: 1 } }, "annotations.a: expected a string"],
  ])("refuses %s", (_, document, message) => {
    const parse = () => parseImageManifest(encode(document), "manifest");

    expect(parse).toThrow(`manifest: ${message}`);
    expect(parse).toThrow(expect.objectContaining({ code: "malformed_image" }));
  });

  it.each(["sha256:../../etc/passwd", "sha256:abc", "", "md5:d41d8cd98f00b204e9800998ecf8427e"])(
    "refuses the digest %j and names the place",
    (digest) => {
      const parse = () => parseImageManifest(encode({ ...manifest, layers: [{ ...layer, digest }] }), "manifest");

      expect(parse).toThrow(/^manifest: layers\[0\]\.digest: expected sha256:/);
      expect(parse).toThrow(expect.objectContaining({ code: "malformed_digest" }));
    },
  );

  it.each([
    { schemaVersion: 1, name: "library/x", fsLayers: [{ blobSum: digestOf("1") }] },
    { schemaVersion: 2, mediaType: "application/vnd.docker.distribution.manifest.v1+prettyjws" },
  ])("says what to do about Docker schema 1", (document) => {
    const parse = () => parseImageManifest(encode(document), "manifest");

    expect(parse).toThrow(/schema 1 are not supported.*push the image again/);
    expect(parse).toThrow(expect.objectContaining({ code: "unsupported_media_type" }));
  });

  it("refuses documents of more than 4 MiB and endless nesting", () => {
    const long = new Uint8Array(maxDocumentBytes + 1).fill(0x20);
    const deep = new TextEncoder().encode("[".repeat(100_000));

    expect(() => parseImageManifest(long, "manifest")).toThrow(
      "manifest: expected at most 4194304 bytes, found 4194305",
    );
    expect(() => parseImageManifest(deep, "manifest")).toThrow("manifest: JSON is nested more than 500 levels deep");
  });
});

describe("parseImageConfig", () => {
  it.each([
    [{ Labels: { a: "b", c: 1 } }, { a: "b" }],
    [{ Labels: {} }, undefined],
    [{ Labels: null }, undefined],
    [null, undefined],
    ["text", undefined],
  ])("has the labels that are texts in %j", (own, labels) => {
    expect(parseImageConfig(encode({ ...imageConfig, config: own }), "config").labels).toEqual(labels);
  });

  it.each([
    [
      { Entrypoint: ["/e"], Cmd: ["c", 1], WorkingDir: "/app", Env: ["A=1", "PATH=/x:/y"] },
      { command: ["/e", "c"], folder: "/app", searchPath: "/x:/y" },
    ],
    [{ Entrypoint: null, Cmd: ["c"], WorkingDir: "" }, { command: ["c"] }],
    [
      { Cmd: ["c"], Env: ["NODE_OPTIONS=--require x"] },
      { command: ["c"], startsMore: true },
    ],
    [{ Cmd: ["c"], Env: ["MY_ENV=1", "NODE_ENV=production"] }, { command: ["c"] }],
    [
      { Cmd: ["c"], Healthcheck: { Test: ["CMD-SHELL", "curl localhost"] } },
      { command: ["c"], startsMore: true },
    ],
    [{ Cmd: ["c"], Healthcheck: { Test: ["NONE"] } }, { command: ["c"] }],
    [{ Entrypoint: "e", Env: ["PATH=/x"] }, undefined],
    [null, undefined],
  ])("has what the image starts in %j", (own, start) => {
    expect(parseImageConfig(encode({ ...imageConfig, config: own }), "config").start).toEqual(start);
  });

  it("reads platform, diff ids and history", () => {
    expect(parseImageConfig(encode(imageConfig), "config")).toEqual({
      platform: { os: "linux", architecture: "arm", variant: "v6" },
      diffIds: [digestOf("d")],
      createdAt: Date.UTC(2024, 0, 2, 3, 4, 5, 678),
      history: [
        { createdBy: "ADD file in /", createdAt: Date.UTC(2024, 0, 2, 3, 4, 5), emptyLayer: false },
        { createdBy: "CMD [sh]", emptyLayer: true },
        { emptyLayer: false },
      ],
    });
  });

  it.each([
    ["no rootfs", {}, "rootfs: expected an object, found nothing"],
    ["no diff ids", { rootfs: {} }, "rootfs.diff_ids: expected an array, found nothing"],
    ["a diff id that is no digest", { rootfs: { diff_ids: ["x"] } }, "rootfs.diff_ids[0]: expected sha256:"],
    ["a history that is no array", { ...imageConfig, history: "x" }, "history: expected an array"],
  ])("refuses %s", (_, document, message) => {
    expect(() => parseImageConfig(encode(document), "config")).toThrow(`config: ${message}`);
  });
});

describe("pairLayers", () => {
  const parsedConfig = parseImageConfig(encode(imageConfig), "config");

  it("gives each layer its diff id", () => {
    const layers = pairLayers(parseImageManifest(encode(manifest), "manifest"), parsedConfig, "image");

    expect(layers.map(({ digest, diffId }) => [digest, diffId])).toEqual([[digestOf("1"), digestOf("d")]]);
  });

  it("refuses counts that differ", () => {
    const parsed = parseImageManifest(encode({ ...manifest, layers: [layer, layer] }), "manifest");

    expect(() => pairLayers(parsed, parsedConfig, "image")).toThrow(
      "image: the manifest lists 2 layers, the configuration 1 diff ids",
    );
  });
});

describe("isAttestation", () => {
  it("knows them by platform or annotation", () => {
    const { manifests } = parseImageIndex(encode(index), "index");
    const withoutAnnotation = manifests.map((descriptor) => ({ ...descriptor, annotations: {} }));

    expect(manifests.map(isAttestation)).toEqual([false, true]);
    expect(withoutAnnotation.map(isAttestation)).toEqual([false, true]);
  });
});
