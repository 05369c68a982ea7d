import type { KnownDistribution } from "./shared/known-distribution.ts";

/** postmarketOS. It ships packages of its own, so that advisories for Alpine say nothing about them. */
export const postmarketos: KnownDistribution = {
  did: "postmarketos",
  packaging: "apk",
  endOfLife: {
    "v21.12": "2022-07-12",
    "v22.06": "2023-01-18",
    "v22.12": "2023-07-07",
    "v23.06": "2024-01-18",
    "v23.12": "2024-07-16",
    "v24.06": "2025-01-23",
    "v24.12": "2025-07-23",
  },
};
