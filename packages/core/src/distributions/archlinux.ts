import type { KnownDistribution } from "./shared/known-distribution.ts";

/** Arch Linux, as some of its derivatives name it. */
export const archlinux: KnownDistribution = {
  did: "archlinux",
  packaging: "pacman",
};
