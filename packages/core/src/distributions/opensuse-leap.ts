import { keyByVersion, osvKeyBy } from "./shared/keys.ts";
import type { KnownDistribution } from "./shared/known-distribution.ts";

/** openSUSE Leap. */
export const opensuseLeap: KnownDistribution = {
  did: "opensuse-leap",
  names: ["openSUSE Leap"],
  cpe: ["opensuse:leap"],
  packaging: "rpm",
  otherIds: { "opensuse.leap": {} },
  advisoryKey: keyByVersion("opensuse-leap", "full"),
  osv: { ecosystem: "openSUSE", kind: "SOURCE", keyOf: osvKeyBy("opensuse-leap", /^Leap (\d+\.\d+)$/) },
  endOfLifeProduct: "opensuse",
  endOfLife: {
    "15.0": "2019-12-03",
    "15.1": "2021-02-02",
    "15.2": "2022-01-04",
    "15.3": "2022-12-31",
    "15.4": "2023-12-07",
    "15.5": "2024-12-31",
    "15.6": "2026-04-30",
    "16.0": "2027-10-31",
  },
};
