import { keyByVersion } from "./shared/keys.ts";
import type { KnownDistribution } from "./shared/known-distribution.ts";
import { suseKeyOf } from "./shared/suse-products.ts";

/** SUSE Linux Enterprise Server. */
export const sles: KnownDistribution = {
  did: "sles",
  names: ["SUSE Linux Enterprise Server"],
  cpe: ["suse:sles"],
  packaging: "rpm",
  vendorTags: ["suse"],
  advisoryKey: keyByVersion("sles", "full"),
  osv: { ecosystem: "SUSE", kind: "SOURCE", keyOf: suseKeyOf("sles") },
};
