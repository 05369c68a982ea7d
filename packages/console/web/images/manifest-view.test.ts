import { describe, expect, it } from "vitest";
import { platformsOf } from "./manifest-view.tsx";

const platformsIn = (index: unknown) => platformsOf({ manifest_data: JSON.stringify(index) });

describe("platformsOf", () => {
  it.each([
    ["an image with a variant", { platform: { os: "linux", architecture: "arm64", variant: "v8" } }, "linux/arm64/v8"],
    ["an image without a variant", { platform: { os: "linux", architecture: "amd64" } }, "linux/amd64"],
    [
      "an attestation",
      {
        platform: { os: "unknown", architecture: "unknown" },
        annotations: { "vnd.docker.reference.type": "attestation-manifest" },
      },
      "attestation-manifest",
    ],
    ["an image of which nothing is said", {}, "–"],
  ])("names %s", (_, described, platform) => {
    expect(platformsIn({ manifests: [{ digest: "sha256:1", ...described }] })).toEqual([
      { digest: "sha256:1", platform },
    ]);
  });

  it("is empty for a list that names nothing", () => {
    expect(platformsIn({})).toEqual([]);
  });
});
