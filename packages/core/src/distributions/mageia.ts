import { keyByVersion, osvKeyBy } from "./shared/keys.ts";
import type { KnownDistribution } from "./shared/known-distribution.ts";

/** Mageia. */
export const mageia: KnownDistribution = {
  did: "mageia",
  packaging: "rpm",
  vendorTags: ["mageia"],
  advisoryKey: keyByVersion("mageia", "major"),
  osv: { ecosystem: "Mageia", kind: "SOURCE", keyOf: osvKeyBy("mageia", /^(\d+)/) },
  endOfLife: { "5": "2017-12-31", "6": "2019-09-30", "7": "2021-06-30", "8": "2023-11-30" },
};
