import type { KnownDistribution } from "./shared/known-distribution.ts";

/** postmarketOS. It builds its own packages, so advisories for Alpine do not apply to it. */
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
