import type { KnownDistribution } from "./shared/known-distribution.ts";

/** Adélie Linux. It builds its own packages, so advisories for Alpine do not apply to it. */
export const adelie: KnownDistribution = {
  did: "adelie",
  packaging: "apk",
};
