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
  endOfLife: {
    "20.03-lts": "2021-03-31",
    "20.03-lts-sp1": "2022-12-31",
    "20.03-lts-sp2": "2022-04-30",
    "20.03-lts-sp3": "2023-12-31",
    "20.03-lts-sp4": "2025-11-30",
    "22.03-lts": "2024-03-31",
    "22.03-lts-sp1": "2024-12-31",
    "22.03-lts-sp2": "2024-03-31",
    "22.03-lts-sp3": "2025-12-31",
    "22.03-lts-sp4": "2026-06-30",
    "24.03-lts": "2026-05-31",
    "24.03-lts-sp1": "2026-12-31",
    "24.03-lts-sp2": "2026-03-31",
    "24.03-lts-sp3": "2027-12-31",
  },
};

/** Only `VERSION` names the service pack: `22.03 (LTS-SP1)` is `openeuler:22.03-lts-sp1`. */
function advisoryKey({ versionId, version = "" }: Release): string | undefined {
  const pack = /\((LTS[^()]*)\)/i.exec(version)?.[1];
  if (!versionId) return undefined;
  return `openeuler:${pack === undefined ? versionId : `${versionId}-${pack.toLowerCase()}`}`;
}
