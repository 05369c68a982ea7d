import type { KnownDistribution } from "./shared/known-distribution.ts";

/** The family of SUSE's distributions, as `ID_LIKE` names it. */
export const suse: KnownDistribution = {
  did: "suse",
  packaging: "rpm",
};
