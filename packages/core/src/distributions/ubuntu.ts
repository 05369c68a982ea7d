import { keyByVersion, osvKeyBy } from "./shared/keys.ts";
import type { KnownDistribution } from "./shared/known-distribution.ts";

/**
 * Ubuntu. Its derivatives (Mint, Pop!_OS, elementary) number their releases differently or replace packages. Of Ubuntu Pro, which only
 * subscribers get, OSV says nothing about packages of the plain release.
 */
export const ubuntu: KnownDistribution = {
  did: "ubuntu",
  names: ["Ubuntu"],
  packaging: "dpkg",
  advisoryKey: keyByVersion("ubuntu", "minor"),
  osv: { ecosystem: "Ubuntu", kind: "SOURCE", keyOf: osvKeyBy("ubuntu", /^(\d+\.\d+)(?::LTS)?$/) },
};
