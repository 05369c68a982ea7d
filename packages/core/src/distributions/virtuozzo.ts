import type { KnownDistribution } from "./shared/known-distribution.ts";

/** Virtuozzo. No feed has advisories for its packages. */
export const virtuozzo: KnownDistribution = {
  did: "virtuozzo",
  names: ["Virtuozzo"],
  packaging: "rpm",
  vendorTags: ["virtuozzo"],
};
