import { keyByVersion, osvKeyBy } from "./shared/keys.ts";
import type { KnownDistribution } from "./shared/known-distribution.ts";

/** Mageia. */
export const mageia: KnownDistribution = {
  did: "mageia",
  packaging: "rpm",
  vendorTags: ["mageia"],
  advisoryKey: keyByVersion("mageia", "major"),
  osv: { ecosystem: "Mageia", kind: "SOURCE", keyOf: osvKeyBy("mageia", /^(\d+)/) },
};
