import type { KnownDistribution } from "./shared/known-distribution.ts";

/** Alibaba Cloud Linux. Its packages are its own: no feed speaks of them. */
export const alinux: KnownDistribution = {
  did: "alinux",
  packaging: "rpm",
};
