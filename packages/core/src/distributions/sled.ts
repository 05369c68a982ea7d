import type { KnownDistribution } from "./shared/known-distribution.ts";

/** SUSE Linux Enterprise Desktop. Its packages are its own: no feed speaks of them. */
export const sled: KnownDistribution = {
  did: "sled",
  names: ["SUSE Linux Enterprise Desktop"],
  packaging: "rpm",
};
