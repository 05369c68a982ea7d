import { keyByVersion, osvKeyBy } from "./shared/keys.ts";
import type { KnownDistribution } from "./shared/known-distribution.ts";

/**
 * Red Hat Enterprise Linux. Red Hat's own feed names each product by its CPE name, subscriber streams (EUS) included. OSV does not, so only
 * its records about the plain release are used.
 */
export const rhel: KnownDistribution = {
  did: "rhel",
  names: ["Red Hat Enterprise Linux"],
  cpe: ["redhat:enterprise_linux"],
  packaging: "rpm",
  purlNamespace: "redhat",
  otherIds: { "red-hat": {}, "red hat": {} },
  vendorTags: ["red hat"],
  hasModules: true,
  listsUnfixed: true,
  advisoryKey: keyByVersion("rhel", "major"),
  osv: { ecosystem: "Red Hat", kind: "BINARY", keyOf: osvKeyBy("rhel", /^enterprise_linux:(\d+)/) },
  endOfLife: {
    "4": "2012-02-29",
    "5": "2017-03-31",
    "6": "2020-11-30",
    "7": "2024-06-30",
    "8": "2029-05-31",
    "9": "2032-05-31",
    "10": "2035-05-31",
  },
};
