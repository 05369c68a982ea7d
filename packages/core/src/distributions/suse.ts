import type { KnownDistribution } from "./shared/known-distribution.ts";

/** What SUSE's distributions are like, as `ID_LIKE` of others says. */
export const suse: KnownDistribution = {
  did: "suse",
  packaging: "rpm",
};
