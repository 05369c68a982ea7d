import type { KnownDistribution } from "./shared/known-distribution.ts";

/** openSUSE Tumbleweed. A rolling release: its advisories name no release. */
export const opensuseTumbleweed: KnownDistribution = {
  did: "opensuse-tumbleweed",
  names: ["openSUSE Tumbleweed"],
  packaging: "rpm",
  otherIds: { "opensuse.tumbleweed": {} },
  advisoryKey: () => "opensuse-tumbleweed",
  osv: {
    ecosystem: "openSUSE",
    kind: "SOURCE",
    keyOf: (suffix) => (suffix === "Tumbleweed" ? "opensuse-tumbleweed" : undefined),
  },
};
