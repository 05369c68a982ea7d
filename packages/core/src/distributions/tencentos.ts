import type { KnownDistribution } from "./shared/known-distribution.ts";

/** TencentOS. No feed has advisories for its packages. */
export const tencentos: KnownDistribution = {
  did: "tencentos",
  packaging: "rpm",
};
