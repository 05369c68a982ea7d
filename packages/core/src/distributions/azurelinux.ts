import { keyByVersion } from "./shared/keys.ts";
import type { KnownDistribution } from "./shared/known-distribution.ts";

/** Azure Linux, from release 3 on. Earlier releases are CBL-Mariner. */
export const azurelinux: KnownDistribution = {
  did: "azurelinux",
  names: ["Microsoft Azure Linux"],
  packaging: "rpm",
  otherIds: { azure: {}, "azure-linux": {}, azl: {} },
  vendorTags: ["microsoft corporation"],
  advisoryKey: keyByVersion("azurelinux", "full"),
  osv: {
    ecosystem: "Azure Linux",
    kind: "SOURCE",
    keyOf: (suffix) => (suffix === "3" ? "azurelinux:3.0" : undefined),
  },
  endOfLife: { "3.0": "2027-08-31" },
};
