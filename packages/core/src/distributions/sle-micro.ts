import { keyByVersion } from "./shared/keys.ts";
import type { KnownDistribution } from "./shared/known-distribution.ts";
import { suseKeyOf } from "./shared/suse-products.ts";

/** SUSE Linux Enterprise Micro. */
export const sleMicro: KnownDistribution = {
  did: "sle-micro",
  packaging: "rpm",
  otherIds: { slem: {}, "suse linux enterprise micro": {} },
  advisoryKey: keyByVersion("sle-micro", "full"),
  osv: { ecosystem: "SUSE", kind: "SOURCE", keyOf: suseKeyOf("sle-micro") },
};
