import type { KnownDistribution } from "./shared/known-distribution.ts";

/** OpenCloudOS. No feed has advisories for its packages. */
export const opencloudos: KnownDistribution = {
  did: "opencloudos",
  packaging: "rpm",
  vendorTags: ["opencloudos"],
};
