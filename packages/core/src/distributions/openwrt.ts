import type { KnownDistribution } from "./shared/known-distribution.ts";

/** OpenWrt, which has replaced opkg with apk. */
export const openwrt: KnownDistribution = {
  did: "openwrt",
  packaging: "opkg",
};
