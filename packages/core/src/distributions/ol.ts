import { keyByVersion } from "./shared/keys.ts";
import type { KnownDistribution } from "./shared/known-distribution.ts";

/** Oracle Linux. Only vendor tags of Oracle America count: other parts of Oracle publish MySQL packages. */
export const ol: KnownDistribution = {
  did: "ol",
  names: ["Oracle Linux", "Enterprise Linux Enterprise Linux"],
  cpe: ["oracle:linux"],
  packaging: "rpm",
  purlNamespace: "oracle",
  otherIds: { oraclelinux: {}, "oracle-linux": {} },
  vendorTags: ["oracle america"],
  hasModules: true,
  advisoryKey: keyByVersion("ol", "major"),
  endOfLifeProduct: "oracle-linux",
  endOfLife: {
    "5": "2017-06-30",
    "6": "2021-03-31",
    "7": "2024-12-31",
    "8": "2029-07-31",
    "9": "2032-06-30",
    "10": "2035-06-30",
  },
};
