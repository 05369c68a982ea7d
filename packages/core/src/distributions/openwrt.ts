import type { KnownDistribution } from "./shared/known-distribution.ts";

/** OpenWrt, which went from opkg to apk. */
export const openwrt: KnownDistribution = {
  did: "openwrt",
  packaging: "opkg",
};
