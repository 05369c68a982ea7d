import type { KnownDistribution } from "./shared/known-distribution.ts";

/** ALT Linux, as its older releases name themselves. Its packages are its own: no feed speaks of them. */
export const altlinux: KnownDistribution = {
  did: "altlinux",
  packaging: "rpm",
  vendorTags: ["alt linux team"],
};
