import type { KnownDistribution } from "./shared/known-distribution.ts";

/** EuroLinux. No feed has advisories for its packages. */
export const eurolinux: KnownDistribution = {
  did: "eurolinux",
  packaging: "rpm",
  vendorTags: ["eurolinux"],
};
