import type { KnownDistribution } from "./shared/known-distribution.ts";

/** TencentOS. Its packages are its own: no feed speaks of them. */
export const tencentos: KnownDistribution = {
  did: "tencentos",
  packaging: "rpm",
};
