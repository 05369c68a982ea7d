import { keyByVersion, osvKeyBy } from "./shared/keys.ts";
import type { KnownDistribution } from "./shared/known-distribution.ts";

/** AlmaLinux. */
export const almalinux: KnownDistribution = {
  did: "almalinux",
  names: ["AlmaLinux"],
  cpe: ["almalinux:almalinux"],
  packaging: "rpm",
  otherIds: { alma: {} },
  vendorTags: ["almalinux"],
  hasModules: true,
  advisoryKey: keyByVersion("almalinux", "major"),
  osv: { ecosystem: "AlmaLinux", kind: "BINARY", keyOf: osvKeyBy("almalinux", /^(\d+)/) },
  endOfLife: { "8": "2029-03-01", "9": "2032-05-31", "10": "2035-05-31" },
};
