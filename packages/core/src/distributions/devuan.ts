import type { KnownDistribution } from "./shared/known-distribution.ts";

/** Devuan: Debian without systemd. It rebuilds or replaces packages of its parent distribution, so the advisories for that do not apply to it. */
export const devuan: KnownDistribution = {
  did: "devuan",
  packaging: "dpkg",
};
