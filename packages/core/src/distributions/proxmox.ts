import type { KnownDistribution } from "./shared/known-distribution.ts";

/** Proxmox VE. It rebuilds or replaces packages of its parent distribution, so the advisories for that do not apply to it. */
export const proxmox: KnownDistribution = {
  did: "proxmox",
  packaging: "dpkg",
};
