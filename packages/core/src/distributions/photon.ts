import { keyByVersion } from "./shared/keys.ts";
import type { KnownDistribution } from "./shared/known-distribution.ts";

/** Photon OS. */
export const photon: KnownDistribution = {
  did: "photon",
  names: ["VMware Photon"],
  packaging: "rpm",
  vendorTags: ["broadcom", "vmware"],
  advisoryKey: keyByVersion("photon", "full"),
};
