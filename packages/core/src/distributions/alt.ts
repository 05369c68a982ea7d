import type { KnownDistribution } from "./shared/known-distribution.ts";

/** ALT Linux. Its packages are its own: no feed speaks of them. */
export const alt: KnownDistribution = {
  did: "alt",
  packaging: "rpm",
  vendorTags: ["alt linux team"],
};
