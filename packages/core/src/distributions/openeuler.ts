import type { KnownDistribution, Release } from "./shared/known-distribution.ts";

/** openEuler. */
export const openeuler: KnownDistribution = {
  did: "openeuler",
  names: ["openEuler"],
  packaging: "rpm",
  vendorTags: ["http://openeuler.org", "https://www.openeuler.org", "openeuler"],
  advisoryKey,
  osv: {
    ecosystem: "openEuler",
    kind: "SOURCE",
    keyOf: (suffix) => (suffix === "" ? undefined : `openeuler:${suffix.toLowerCase()}`),
  },
};

/** Service packs are only in the version's words: `22.03 (LTS-SP1)` is `openeuler:22.03-lts-sp1`. */
function advisoryKey({ versionId, version = "" }: Release): string | undefined {
  const pack = /\((LTS[^()]*)\)/i.exec(version)?.[1];
  if (!versionId) return undefined;
  return `openeuler:${pack === undefined ? versionId : `${versionId}-${pack.toLowerCase()}`}`;
}
