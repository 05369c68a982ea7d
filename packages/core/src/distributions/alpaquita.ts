import type { KnownDistribution } from "./shared/known-distribution.ts";

/** Alpaquita Linux. It ships packages of its own, so that advisories for Alpine say nothing about them. */
export const alpaquita: KnownDistribution = {
  did: "alpaquita",
  packaging: "apk",
};
