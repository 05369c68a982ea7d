import type { KnownDistribution } from "./shared/known-distribution.ts";

/** Devuan: Debian without systemd. It rebuilds or replaces packages of the distribution it comes from: advisories for those say nothing about its own. */
export const devuan: KnownDistribution = {
  did: "devuan",
  packaging: "dpkg",
};
