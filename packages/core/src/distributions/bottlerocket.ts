import type { KnownDistribution } from "./shared/known-distribution.ts";

/**
 * Bottlerocket. Its image is built as a whole from rpm packages, with a list of them in the place of a package manager. Its advisories name versions of
 * packages, not of releases.
 */
export const bottlerocket: KnownDistribution = {
  did: "bottlerocket",
  packaging: "rpm",
  advisoryKey: () => "bottlerocket",
};
