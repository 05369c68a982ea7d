import { keyByVersion, osvKeyBy } from "./shared/keys.ts";
import type { KnownDistribution } from "./shared/known-distribution.ts";

/** Rocky Linux. */
export const rocky: KnownDistribution = {
  did: "rocky",
  names: ["Rocky Linux"],
  cpe: ["rocky:rocky"],
  packaging: "rpm",
  otherIds: { rockylinux: {}, "rocky-linux": {} },
  vendorTags: ["rocky"],
  hasModules: true,
  advisoryKey: keyByVersion("rocky", "major"),
  osv: { ecosystem: "Rocky Linux", kind: "SOURCE", keyOf: osvKeyBy("rocky", /^(\d+)/) },
  endOfLifeProduct: "rocky-linux",
  endOfLife: { "8": "2029-05-31", "9": "2032-05-31", "10": "2035-05-31" },
};
