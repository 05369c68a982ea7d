import { describe, expect, it } from "vitest";
import type { BlobStore } from "../ports/blob-store.ts";
import { readImageLabels } from "./image-labels.ts";
import type { ParsedManifest } from "./parse-manifest.ts";

const noBlobs = {} as BlobStore;

describe("readImageLabels", () => {
  it("drops a label without a key, which no request could ask for", async () => {
    const manifest = { annotations: { "": "lost", team: "blue" } } as unknown as ParsedManifest;

    expect(await readImageLabels(noBlobs, manifest)).toEqual({ team: "blue" });
  });
});
