import { describe, expect, it } from "vitest";
import { findMediaTypeKind, mediaTypes } from "./media-types.ts";

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
