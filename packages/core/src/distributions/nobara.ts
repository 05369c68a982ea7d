import type { KnownDistribution } from "./shared/known-distribution.ts";

/** Nobara. Its packages are its own: no feed speaks of them. */
export const nobara: KnownDistribution = {
  did: "nobara",
  packaging: "rpm",
};
