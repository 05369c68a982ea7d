import type { KnownDistribution } from "./shared/known-distribution.ts";

/** Arch Linux. Its packages roll: advisories know no release. */
export const arch: KnownDistribution = {
  did: "arch",
  packaging: "pacman",
  advisoryKey: () => "arch",
  listsUnfixed: true,
};
