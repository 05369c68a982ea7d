import type { KnownDistribution } from "./shared/known-distribution.ts";

/** CloudLinux. No feed has advisories for its packages. */
export const cloudlinux: KnownDistribution = {
  did: "cloudlinux",
  names: ["CloudLinux"],
  packaging: "rpm",
  vendorTags: ["cloudlinux"],
};
