import { keyByVersion } from "./shared/keys.ts";
import type { KnownDistribution } from "./shared/known-distribution.ts";

const keyOf = keyByVersion("amzn", "major");

/** Amazon Linux. */
export const amzn: KnownDistribution = {
  did: "amzn",
  names: ["Amazon Linux"],
  cpe: ["amazon:amazon_linux", "amazon:linux"],
  packaging: "rpm",
  purlNamespace: "amazon",
  otherIds: { amazonlinux: {}, "amazon-linux": {} },
  vendorTags: ["amazon linux", "amazon.com"], // the latter is Amazon Linux 1
  advisoryKey: (release, repositories) => {
    const key = keyOf(release, repositories);
    return key === "amzn:2018" ? "amzn:1" : key; // the last release of Amazon Linux 1
  },
  endOfLifeProduct: "amazon-linux",
  endOfLife: { "1": "2023-12-31", "2": "2026-06-30", "2023": "2029-06-30" },
};
