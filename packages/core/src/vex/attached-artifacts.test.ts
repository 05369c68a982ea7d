import { describe, expect, it } from "vitest";
import { documentsOf, readableDocuments, vexKind } from "./attached-artifacts.ts";

const mediaType = "application/vnd.openvex+json";

describe("documentsOf", () => {
  it.each([
    ["without a size", { mediaType, digest: "sha256:a" }],
    ["with a negative size", { mediaType, digest: "sha256:a", size: -1 }],
    ["of another kind", { mediaType: "application/vnd.cyclonedx.v2+xml", digest: "sha256:a", size: 1 }],
  ])("leaves out a document %s", (_, layer) => {
    const layers = [layer, { mediaType, digest: "sha256:b", size: 2 }];

    expect(documentsOf(JSON.stringify({ layers }), vexKind)).toEqual([
      { digest: "sha256:b", sizeBytes: 2, isAttested: false },
    ]);
  });
});

describe("readableDocuments", () => {
  it("stops at the document that exceeds the limit of the kind", () => {
    const documents = [3, 2, 1].map((sizeBytes) => ({ digest: `sha256:${sizeBytes}`, sizeBytes, isAttested: false }));

    const { documents: read, refused } = readableDocuments(documents, { mostBytes: 4 });

    expect(read.map(({ sizeBytes }) => sizeBytes)).toEqual([3]);
    expect(refused?.digest).toBe("sha256:2");
  });
});
