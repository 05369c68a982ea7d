import type { KnownDistribution } from "./shared/known-distribution.ts";

/** Proxmox VE. It rebuilds or replaces packages of the distribution it comes from: advisories for those say nothing about its own. */
export const proxmox: KnownDistribution = {
  did: "proxmox",
  packaging: "dpkg",
};
