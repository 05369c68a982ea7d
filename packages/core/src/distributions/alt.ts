import type { KnownDistribution } from "./shared/known-distribution.ts";

/** ALT Linux. No feed has advisories for its packages. */
export const alt: KnownDistribution = {
  did: "alt",
  packaging: "rpm",
  vendorTags: ["alt linux team"],
};
