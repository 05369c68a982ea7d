import type { KnownDistribution } from "./shared/known-distribution.ts";

/** ALT Linux, as its older releases name themselves. No feed has advisories for its packages. */
export const altlinux: KnownDistribution = {
  did: "altlinux",
  packaging: "rpm",
  vendorTags: ["alt linux team"],
};
