import type { KnownDistribution, Release } from "./shared/known-distribution.ts";

/** The releases of Debian by code name, from the oldest that the security tracker still names. */
const versionByCodeName: ReadonlyMap<string, string> = new Map([
  ["etch", "4"],
  ["lenny", "5"],
  ["squeeze", "6"],
  ["wheezy", "7"],
  ["jessie", "8"],
  ["stretch", "9"],
  ["buster", "10"],
  ["bullseye", "11"],
  ["bookworm", "12"],
  ["trixie", "13"],
  ["forky", "14"],
  ["duke", "15"],
  ["unstable", "sid"],
]);

/**
 * Debian. Distroless images also have the identifier `debian` and contain unchanged packages of Debian. Derivatives rebuild or replace
 * packages under their own versions: each is a separate distribution here, without advisories.
 * @see https://wiki.debian.org/LTS for the end of life, which is the end of long-term support
 */
export const debian: KnownDistribution = {
  did: "debian",
  names: ["Debian GNU/Linux"],
  packaging: "dpkg",
  advisoryKey,
  listsUnfixed: true,
  osv: {
    ecosystem: "Debian",
    kind: "SOURCE",
    keyOf: (suffix) => (suffix === "" ? undefined : `debian:${debianVersion(suffix)}`),
  },
  isExtensionFree: true,
  endOfLife: {
    7: "2018-05-31",
    8: "2020-06-30",
    9: "2022-06-30",
    10: "2024-06-30",
    11: "2026-08-31",
    12: "2028-06-30",
    13: "2030-06-30",
  },
};

/**
 * The version of a Debian release: `12`. A release in preparation already has its future number; `unstable` is `sid`. An unknown code
 * name is returned unchanged.
 * @see https://wiki.debian.org/DebianReleases
 */
export function debianVersion(codeName: string): string {
  return versionByCodeName.get(codeName) ?? codeName;
}

/** The code names of the releases that get fixes at an instant, future ones included; without an instant, of all since wheezy. */
export function debianReleases(at: number | undefined): readonly string[] {
  const ends: Readonly<Record<string, string>> = debian.endOfLife ?? {};
  return [...versionByCodeName].flatMap(([codeName, version]) => {
    if (codeName === "unstable" || Number(version) < 7) return [];
    const end = ends[version];
    return end === undefined || at === undefined || Date.parse(end) >= at ? [codeName] : [];
  });
}

/** An image of testing or sid has no `VERSION_ID`; its code name is used instead. */
function advisoryKey({ versionId, versionCodeName }: Release): string | undefined {
  const major = /^\d+/.exec(versionId ?? "")?.[0];
  if (major !== undefined) return `debian:${major}`;
  return versionCodeName ? `debian:${debianVersion(versionCodeName)}` : undefined;
}
