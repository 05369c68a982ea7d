import { ownRelease, thirdPartyIn } from "../distributions/shared/find.ts";
import type { PackagingSystem } from "../distributions/shared/known-distribution.ts";
import type { Digest } from "../model/digest.ts";
import { type PackageRepository, thirdPartyKey } from "../model/package.ts";
import type { PackageDetails } from "../model/package-details.ts";
import type { CoalescedPackage, Coalescer, EcosystemLayer, ImageView } from "../plugins/coalescer.ts";
import type { DetailsFinding, Finding, PackageFinding } from "../plugins/finding.ts";
import { packageIdentity } from "./package-identity.ts";

/** A package in the finished image, as its database lists it. */
export interface ListedPackage {
  readonly finding: PackageFinding;
  /** The index of the layer that added it; 0 is the base. */
  readonly introducedAt: number;
}

/** The repositories that a package comes from. */
export type OriginOf = (listed: ListedPackage) => readonly Omit<PackageRepository, "id">[];

/** The part of coalescing databases that differs between packaging systems. */
export interface DatabaseCoalescing {
  /** Makes a function that finds the repositories of a package of the image. */
  readonly origins: (layers: readonly EcosystemLayer[], image: ImageView) => OriginOf;
  /** The system that a database is of, if distributions are known to have it. Without it, packages of any database are of the image's release. */
  readonly packagingOf?: (packageDb: string) => PackagingSystem;
  /** Who made a package in an image of a release, if the distribution did not. Without it, what the finding says. */
  readonly thirdPartyOf?: (finding: PackageFinding, release: CoalescedPackage["distribution"]) => string | undefined;
  /** Makes a function that finds the folder of the system that a database is of; undefined for the root of the image. Without it, every database is of that. */
  readonly rootsIn?: (image: ImageView) => (packageDb: string) => string | undefined;
}

/**
 * Origins for systems whose packages do not record their repository: all packages come from the repositories that are named in
 * files of the image.
 * @param installsFrom whether the package manager reads repositories from the file at a path
 * @example
 * const coalescer = coalesceDatabases({ origins: repositoryFiles((path) => path === "etc/apk/repositories") });
 */
export function repositoryFiles(installsFrom: (path: string) => boolean): DatabaseCoalescing["origins"] {
  return (_, image) => {
    const findings = image.repositories.filter((finding) => installsFrom(finding.path));
    const repositories = findings.map((finding) => finding.repository);
    return () => repositories;
  };
}

/**
 * Coalesces packages that are listed in databases. The newest copy of a database lists its packages, if the finished image still
 * contains it. A package was introduced by the lowest layer from which on every copy lists it.
 * @example
 * const coalescer = coalesceDatabases({ origins: repositoryFiles((file) => file.startsWith("etc/apt/")) });
 */
export function coalesceDatabases({
  origins,
  packagingOf,
  thirdPartyOf = ({ thirdParty }, release) => thirdPartyIn(thirdParty, release),
  rootsIn,
}: DatabaseCoalescing): Coalescer {
  return function* coalesce(layers, image) {
    const copies = databaseCopies(layers);
    const originOf = origins(layers, image);
    const detailsOf = detailsFinder(layers, image);
    const rootOf = rootsIn?.(image);
    for (const [index, copy] of survivingCopies(copies, image)) {
      const root = rootOf?.(copy.path);
      const distribution = ownRelease(packagingOf?.(copy.path), image.distributionAt(index, root));
      const older = (copies.get(copy.path) ?? []).filter((other) => other.index < index);
      for (const [identity, finding] of copy.packages) {
        const from = introducedBy(copy, older, identity);
        const listed = { finding, introducedAt: from.index };
        const thirdParty = thirdPartyOf(finding, distribution);
        yield coalesced(listed, {
          introduced: from.layer,
          repositories: thirdParty === undefined ? originOf(listed) : [{ name: thirdParty, key: thirdPartyKey }],
          distribution,
          root,
          details: detailsOf(finding),
        });
      }
    }
  };
}

interface DatabaseCopy {
  readonly path: string;
  readonly index: number;
  readonly layer: Digest;
  /** The write-ahead log, if it was read. */
  log?: string;
  readonly packages: Map<string, PackageFinding>;
  /** The packages that the database lists without its log. */
  readonly withoutLog: Map<string, PackageFinding>;
}

/** Every copy of every database, base first, by path. */
function databaseCopies(layers: readonly EcosystemLayer[]): Map<string, DatabaseCopy[]> {
  return Map.groupBy(
    layers.flatMap((layer, index) => [...copiesIn(layer, index)]),
    (copy) => copy.path,
  );
}

function copiesIn(layer: EcosystemLayer, index: number): Iterable<DatabaseCopy> {
  const copies = new Map<string, DatabaseCopy>();
  for (const finding of layer.findings) {
    const path = databasePath(finding);
    if (path === undefined) continue;
    const copy: DatabaseCopy = copies.get(path) ?? newCopy(path, layer, index);
    copies.set(path, copy);
    if (finding.kind === "database" && finding.log !== undefined) copy.log = finding.log;
    if (finding.kind !== "package") continue;
    const packages = finding.withoutLog === true ? copy.withoutLog : copy.packages;
    packages.set(packageIdentity(finding.package), finding);
  }
  return copies.values();
}

function newCopy(path: string, { digest }: EcosystemLayer, index: number): DatabaseCopy {
  return { path, index, layer: digest, packages: new Map(), withoutLog: new Map() };
}

function databasePath(finding: Finding): string | undefined {
  if (finding.kind === "database") return finding.path;
  return finding.kind === "package" ? finding.packageDb : undefined;
}

function* survivingCopies(
  copies: ReadonlyMap<string, readonly DatabaseCopy[]>,
  image: ImageView,
): Iterable<[number, DatabaseCopy]> {
  for (const [path, all] of copies) {
    const newest = all.at(-1);
    if (newest === undefined || !image.survives(path, newest.index)) continue;
    const { index, log, withoutLog } = newest;
    const isLogThere = log === undefined || image.survives(log, index);
    yield [index, isLogThere ? newest : { ...newest, packages: withoutLog }];
  }
}

function introducedBy(copy: DatabaseCopy, older: readonly DatabaseCopy[], identity: string): DatabaseCopy {
  const since = older.findLastIndex((other) => !other.packages.has(identity)) + 1;
  return older[since] ?? copy;
}

interface ListedIn {
  readonly introduced: Digest;
  readonly repositories: readonly Omit<PackageRepository, "id">[];
  readonly distribution: CoalescedPackage["distribution"];
  readonly root: string | undefined;
  readonly details: PackageDetails | undefined;
}

/** As many links as file systems follow on the way to a file. */
const maxLinks = 40;

/** Makes a function that joins what the record of a package says with what other files of the finished image say about it. */
function detailsFinder(layers: readonly EcosystemLayer[], image: ImageView) {
  const byName = new Map<string, DetailsFinding>();
  const provided = new Map<string, readonly string[]>(); // by other files than those that say the rest
  for (const [index, { findings }] of layers.entries()) {
    for (const each of findings) {
      if (each.kind !== "details" || !image.survives(each.path, index)) continue;
      if (each.details.provides === undefined) byName.set(each.of, each);
      else provided.set(each.of, each.details.provides);
    }
  }
  const foundFor = (name: string) => {
    let found = byName.get(name);
    for (let links = 0; found?.like !== undefined && links < maxLinks; links++) found = byName.get(found.like);
    return found?.like === undefined ? found?.details : undefined;
  };
  return ({ package: { name }, details }: PackageFinding): PackageDetails | undefined => {
    const more = foundFor(name);
    const names = provided.get(name);
    const provides = names === undefined ? details?.provides : [...(details?.provides ?? []), ...names];
    if (details === undefined || more === undefined) {
      const known = details ?? more;
      return names === undefined ? known : { ...known, provides };
    }
    return { ...more, ...details, provides, licenses: [...(details.licenses ?? []), ...(more.licenses ?? [])] };
  };
}

function coalesced(
  { finding }: ListedPackage,
  { introduced, repositories, distribution, root, details }: ListedIn,
): CoalescedPackage {
  return {
    package: finding.package,
    packageDb: finding.packageDb,
    introducedIn: introduced,
    details,
    repositories,
    distribution,
    root,
    mayBeOfOthers: finding.mayBeOfOthers,
  };
}
