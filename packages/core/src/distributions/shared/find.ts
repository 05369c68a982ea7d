import type { PackageRepository } from "../../model/package.ts";
import { allDistributions } from "../all.ts";
import type { KnownDistribution, PackagingSystem, Release } from "./known-distribution.ts";

const byDid: ReadonlyMap<string, KnownDistribution> = new Map(allDistributions.map((known) => [known.did, known]));

/** The distribution with an os-release `ID`. */
export function findDistribution(did: string | undefined): KnownDistribution | undefined {
  return did === undefined ? undefined : byDid.get(did);
}

/** The distribution of a release, or the first known one that it is like (`ID_LIKE`). */
export function findLikeDistribution({ did, like = [] }: Pick<Release, "did" | "like">): KnownDistribution | undefined {
  return [did, ...like].map(findDistribution).find((known) => known !== undefined);
}

/**
 * The release of packages of a packaging system; undefined for a release whose packages another system installs. A database of apk in an image of
 * Debian has packages of another distribution, about which Debian's advisories say nothing. A release that is not known may have any.
 */
export function ownRelease<Found extends Pick<Release, "did" | "like">>(
  packaging: PackagingSystem | undefined,
  release: Found | undefined,
): Found | undefined {
  const known = release && findLikeDistribution(release);
  if (packaging === undefined || known === undefined || known.packaging === "none") return release;
  return known.packaging === packaging || known.otherPackaging?.includes(packaging) === true ? release : undefined;
}

const byMaker = new Map(allDistributions.flatMap((known) => (known.maker === undefined ? [] : [[known.maker, known]])));

/**
 * The maker of a package in an image of a release, if the distribution did not make it. The maker of another distribution counts only where advisories
 * of the image's distribution would judge the package: in an image of Debian, not in one of a distribution that is made from it.
 */
export function thirdPartyIn(maker: string | undefined, release: Pick<Release, "did"> | undefined): string | undefined {
  const known = maker === undefined ? undefined : byMaker.get(maker);
  if (known === undefined || known.did === release?.did) return known === undefined ? maker : undefined;
  return findDistribution(release?.did)?.advisoryKey === undefined ? undefined : maker;
}

const byName = allDistributions
  .flatMap((known) => (known.names ?? []).map((name) => ({ name, known })))
  .sort((a, b) => b.name.length - a.name.length);

/** The distribution with the longest name that a text begins with: `CentOS release 5.11 (Final)`. */
export function findNamedDistribution(text: string): KnownDistribution | undefined {
  return byName.find(({ name }) => text.startsWith(name))?.known;
}

const byCpe = new Map(allDistributions.flatMap((known) => (known.cpe ?? []).map((name) => [name, known] as const)));

/** The distribution and version of an operating system's CPE name. */
export function findCpeDistribution(cpe: string): { readonly did: string; readonly version: string } | undefined {
  const [, vendor, product, version = ""] = /^cpe:(?:\/|2\.3:)o:([^:]*):([^:]*)(?::([^:]*))?/i.exec(cpe) ?? [];
  const did = byCpe.get(`${vendor}:${product}`.toLowerCase())?.did;
  return did === undefined ? undefined : { did, version };
}

/**
 * The last day of security fixes for a release without a subscription for longer support, as `YYYY-MM-DD`. Undefined where it is not known
 * and for distributions without releases.
 *
 * @example
 * findEndOfLife({ did: "debian", versionId: "12" }); // "2028-06-30"
 */
export function findEndOfLife(release: Release, repositories: readonly PackageRepository[] = []): string | undefined {
  const { endOfLife = {} } = findDistribution(release.did) ?? {};
  const names = [`${release.name} ${release.versionId}`, ...releaseNames(release, repositories)];
  const known = names.find((name) => Object.hasOwn(endOfLife, name));
  return known === undefined ? undefined : endOfLife[known];
}

/** The names of a release in tables of releases, in the order to try them: `12`, or `21.3` and then `21`. */
export function releaseNames(release: Release, repositories: readonly PackageRepository[]): readonly string[] {
  const { advisoryKey } = findDistribution(release.did) ?? {};
  return advisoryKey === undefined ? versionsOf(release) : keysOf(advisoryKey(release, repositories));
}

/** `21.3`, then `21`. */
function versionsOf({ versionId = "" }: Release): readonly string[] {
  return [versionId, versionId.split(".", 1)[0] ?? ""];
}

/** `12` of `debian:12`. */
function keysOf(key: string | undefined): readonly string[] {
  return key === undefined ? [] : [key.slice(key.indexOf(":") + 1)];
}
