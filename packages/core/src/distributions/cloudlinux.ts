import type { KnownDistribution } from "./shared/known-distribution.ts";

/** CloudLinux. Its packages are its own: no feed speaks of them. */
export const cloudlinux: KnownDistribution = {
  did: "cloudlinux",
  names: ["CloudLinux"],
  packaging: "rpm",
  vendorTags: ["cloudlinux"],
};
