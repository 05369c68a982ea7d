import type { KnownDistribution } from "./shared/known-distribution.ts";

/** Arch Linux, as some package URLs name it. */
export const archlinux: KnownDistribution = {
  did: "archlinux",
  packaging: "pacman",
  advisoryKey: () => "arch",
  listsUnfixed: true,
};
