import type { KnownDistribution } from "./shared/known-distribution.ts";

/** OpenCloudOS. Its packages are its own: no feed speaks of them. */
export const opencloudos: KnownDistribution = {
  did: "opencloudos",
  packaging: "rpm",
  vendorTags: ["opencloudos"],
};
