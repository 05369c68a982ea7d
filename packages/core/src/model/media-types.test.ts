import { describe, expect, it } from "vitest";
import { findMediaTypeKind, isForeignLayer, isImageManifest, isIndex, isLayer, mediaTypes } from "./media-types.ts";

describe("findMediaTypeKind", () => {
  it.each([...mediaTypes])("knows %s", (mediaType, kind) => {
    expect(findMediaTypeKind(mediaType)).toBe(kind);
  });

  it.each([
    ["Application/VND.OCI.image.index.v1+JSON", "image-index"],
    ["application/vnd.oci.image.manifest.v1+json; charset=utf-8", "image-manifest"],
    ["application/vnd.oci.image.layer.v1.tar+gzip+encrypted", undefined],
    ["application/vnd.oci.empty.v1+json", undefined],
    ["text/html", undefined],
    ["", undefined],
  ])("takes %j for %s", (mediaType, kind) => {
    expect(findMediaTypeKind(mediaType)).toBe(kind);
  });
});

describe.each([
  { what: isIndex, kinds: ["image-index"] },
  { what: isImageManifest, kinds: ["image-manifest"] },
  { what: isLayer, kinds: ["layer", "foreign-layer"] },
  { what: isForeignLayer, kinds: ["foreign-layer"] },
])("$what.name", ({ what, kinds }) => {
  it("is true for its kinds only", () => {
    const accepted = [...mediaTypes].filter(([mediaType]) => what(mediaType)).map(([, kind]) => kind);

    expect(new Set(accepted)).toEqual(new Set(kinds));
    expect(what("application/octet-stream")).toBe(false);
  });
});
