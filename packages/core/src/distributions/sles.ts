import { keyByVersion } from "./shared/keys.ts";
import type { KnownDistribution } from "./shared/known-distribution.ts";
import { suseKeyOf } from "./shared/suse-products.ts";

/** SUSE Linux Enterprise Server. */
export const sles: KnownDistribution = {
  did: "sles",
  names: ["SUSE Linux Enterprise Server"],
  cpe: ["suse:sles"],
  packaging: "rpm",
  otherIds: { "suse linux enterprise server": {} },
  vendorTags: ["suse"],
  advisoryKey: keyByVersion("sles", "full"),
  osv: { ecosystem: "SUSE", kind: "SOURCE", keyOf: suseKeyOf("sles") },
  endOfLife: {
    "11.4": "2019-03-31",
    "12.3": "2019-06-30",
    "12.4": "2020-06-30",
    "12.5": "2024-10-31",
    "15": "2019-12-31",
    "15.1": "2021-01-31",
    "15.2": "2021-12-31",
    "15.3": "2022-12-31",
    "15.4": "2023-12-31",
    "15.5": "2024-12-31",
    "15.6": "2025-12-31",
    "15.7": "2031-07-31",
  },
};
