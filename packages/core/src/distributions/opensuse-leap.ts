import { keyByVersion, osvKeyBy } from "./shared/keys.ts";
import type { KnownDistribution } from "./shared/known-distribution.ts";

/** openSUSE Leap. */
export const opensuseLeap: KnownDistribution = {
  did: "opensuse-leap",
  names: ["openSUSE Leap"],
  cpe: ["opensuse:leap"],
  packaging: "rpm",
  advisoryKey: keyByVersion("opensuse-leap", "full"),
  osv: { ecosystem: "openSUSE", kind: "SOURCE", keyOf: osvKeyBy("opensuse-leap", /^Leap (\d+\.\d+)$/) },
};
