import type { KnownDistribution } from "./shared/known-distribution.ts";

/** NixOS. */
export const nixos: KnownDistribution = {
  did: "nixos",
  packaging: "nix",
};
