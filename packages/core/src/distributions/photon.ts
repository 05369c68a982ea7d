import { keyByVersion } from "./shared/keys.ts";
import type { KnownDistribution } from "./shared/known-distribution.ts";

/** Photon OS. */
export const photon: KnownDistribution = {
  did: "photon",
  names: ["VMware Photon"],
  packaging: "rpm",
  vendorTags: ["broadcom", "vmware"],
  advisoryKey: keyByVersion("photon", "full"),
  endOfLife: { "1.0": "2022-02-28", "2.0": "2022-12-01", "3.0": "2024-03-01", "4.0": "2026-03-01" },
};
