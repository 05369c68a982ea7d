import type { KnownDistribution } from "./shared/known-distribution.ts";

/** Alibaba Cloud Linux. No feed has advisories for its packages. */
export const alinux: KnownDistribution = {
  did: "alinux",
  packaging: "rpm",
};
