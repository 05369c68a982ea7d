import { keyByVersion, osvKeyBy } from "./shared/keys.ts";
import type { KnownDistribution } from "./shared/known-distribution.ts";

/** AlmaLinux. */
export const almalinux: KnownDistribution = {
  did: "almalinux",
  names: ["AlmaLinux"],
  cpe: ["almalinux:almalinux"],
  packaging: "rpm",
  vendorTags: ["almalinux"],
  hasModules: true,
  advisoryKey: keyByVersion("almalinux", "major"),
  osv: { ecosystem: "AlmaLinux", kind: "BINARY", keyOf: osvKeyBy("almalinux", /^(\d+)/) },
};
