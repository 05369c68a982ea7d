import type { KnownDistribution } from "./shared/known-distribution.ts";

/** Arch Linux. A rolling release: its advisories name no release. */
export const arch: KnownDistribution = {
  did: "arch",
  packaging: "pacman",
  advisoryKey: () => "arch",
  listsUnfixed: true,
};
