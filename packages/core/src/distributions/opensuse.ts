import type { KnownDistribution } from "./shared/known-distribution.ts";

/** openSUSE before Leap and Tumbleweed. Its packages are its own: no feed speaks of them. */
export const opensuse: KnownDistribution = {
  did: "opensuse",
  names: ["openSUSE"],
  packaging: "rpm",
  vendorTags: ["opensuse"],
};
