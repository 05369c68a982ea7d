import type { KnownDistribution } from "./shared/known-distribution.ts";

/** Adélie Linux. It ships packages of its own, so that advisories for Alpine say nothing about them. */
export const adelie: KnownDistribution = {
  did: "adelie",
  packaging: "apk",
};
