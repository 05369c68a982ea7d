import type { PackageRepository } from "../../model/package.ts";
import type { AdvisoryKeyOf, KnownDistribution, OsvPart, Release } from "./known-distribution.ts";

const versionParts = { major: /^\d+/, minor: /^\d+\.\d+/, full: /^\d+(?:\.\d+)*/ } as const;

/** Advisory keys `NAME:VERSION` with the part of `version_id` that the distribution publishes advisories for. */
export function keyByVersion(name: string, part: keyof typeof versionParts): AdvisoryKeyOf {
  return ({ versionId = "" }) => {
    const version = versionParts[part].exec(versionId)?.[0];
    return version === undefined ? undefined : `${name}:${version}`;
  };
}

/** Advisory keys `NAME:VERSION` from the first group of a pattern, which is applied to the text after the first colon of an OSV ecosystem. */
export function osvKeyBy(name: string, pattern: RegExp): OsvPart["keyOf"] {
  return (suffix) => {
    const version = pattern.exec(suffix)?.[1];
    return version === undefined ? undefined : `${name}:${version}`;
  };
}

/** Finds all keys of the advisories for packages of a release, the main one first. */
export type AdvisoryKeysOf = (release: Release, repositories: readonly PackageRepository[]) => readonly string[];

/** The advisory keys of some distributions; releases of others have none. */
export function advisoryKeys(distributions: readonly KnownDistribution[]): AdvisoryKeysOf {
  const byDid = new Map(distributions.map((known) => [known.did, known]));
  return (release, repositories) => {
    const key = byDid.get(release.did ?? "")?.advisoryKey?.(release, repositories);
    return key === undefined ? [] : [key];
  };
}

/** Whether an os-release `ID` is that of one of the distributions, and a feed covers some of its releases. */
export function isAnyOf(distributions: readonly KnownDistribution[]): (did: string) => boolean {
  const dids = new Set(distributions.flatMap(({ did, advisoryKey }) => (advisoryKey === undefined ? [] : [did])));
  return (did) => dids.has(did);
}
