import { keyByVersion } from "./shared/keys.ts";
import type { KnownDistribution } from "./shared/known-distribution.ts";

/** SUSE Linux Micro, which was SUSE Linux Enterprise Micro before its release 6. */
export const slMicro: KnownDistribution = {
  did: "sl-micro",
  packaging: "rpm",
  otherIds: { "suse linux micro": {} },
  advisoryKey: keyByVersion("sle-micro", "full"),
};
