import { keyByVersion } from "./shared/keys.ts";
import type { KnownDistribution } from "./shared/known-distribution.ts";

/** Oracle Linux. Vendor tags of Oracle America only: other parts of Oracle ship MySQL. */
export const ol: KnownDistribution = {
  did: "ol",
  names: ["Oracle Linux", "Enterprise Linux Enterprise Linux"],
  cpe: ["oracle:linux"],
  packaging: "rpm",
  purlNamespace: "oracle",
  vendorTags: ["oracle america"],
  hasModules: true,
  advisoryKey: keyByVersion("ol", "major"),
};
