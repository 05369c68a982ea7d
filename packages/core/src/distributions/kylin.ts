import type { KnownDistribution } from "./shared/known-distribution.ts";

/** Kylin. Its packages are its own: no feed speaks of them. */
export const kylin: KnownDistribution = {
  did: "kylin",
  packaging: "rpm",
};
