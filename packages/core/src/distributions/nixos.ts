import type { KnownDistribution } from "./shared/known-distribution.ts";

/** NixOS. */
export const nixos: KnownDistribution = {
  did: "nixos",
  packaging: "nix",
  endOfLife: {
    "21.11": "2022-06-30",
    "22.05": "2022-12-31",
    "22.11": "2023-06-30",
    "23.05": "2023-12-31",
    "23.11": "2024-06-30",
    "24.05": "2024-12-31",
    "24.11": "2025-06-30",
    "25.05": "2025-12-31",
    "25.11": "2026-06-30",
    "26.05": "2026-12-31",
  },
};
