import type { KnownDistribution } from "./shared/known-distribution.ts";

/** EuroLinux. Its packages are its own: no feed speaks of them. */
export const eurolinux: KnownDistribution = {
  did: "eurolinux",
  packaging: "rpm",
  vendorTags: ["eurolinux"],
};
