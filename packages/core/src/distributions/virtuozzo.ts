import type { KnownDistribution } from "./shared/known-distribution.ts";

/** Virtuozzo. Its packages are its own: no feed speaks of them. */
export const virtuozzo: KnownDistribution = {
  did: "virtuozzo",
  names: ["Virtuozzo"],
  packaging: "rpm",
  vendorTags: ["virtuozzo"],
};
