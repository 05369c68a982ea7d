import { describe, expect, it } from "vitest";
import { misreadMember } from "./misread-members.ts";

describe("misreadMember", () => {
  it.each<{ manifest: Record<string, unknown>; found: string | undefined }>([
    {
      manifest: { schemaVersion: 2, layers: [{ mediaType: "a/b", digest: "" }], annotations: { Layers: "a" } },
      found: undefined,
    },
    { manifest: { layers: [], Layers: [] }, found: "Layers" },
    { manifest: { "layer\u017f": [] }, found: "layer\u017f" },
    { manifest: { config: { MediaType: "a/b" } }, found: "MediaType" },
    { manifest: { layers: [{ mediaType: "a/b" }, { DIGEST: "" }] }, found: "DIGEST" },
    { manifest: { manifests: [{ Size: 1 }] }, found: "Size" },
  ])("finds $found", ({ manifest, found }) => {
    expect(misreadMember(manifest)).toBe(found);
  });
});
