import { keyByVersion } from "./shared/keys.ts";
import type { KnownDistribution } from "./shared/known-distribution.ts";

/** Fedora. */
export const fedora: KnownDistribution = {
  did: "fedora",
  names: ["Fedora"],
  cpe: ["fedoraproject:fedora"],
  packaging: "rpm",
  vendorTags: ["fedora project"],
  hasModules: true,
  advisoryKey: keyByVersion("fedora", "major"),
};
