import type { Digest } from "../model/digest.ts";
import { type PackageRepository, thirdPartyKey } from "../model/package.ts";
import type { CoalescedPackage, Coalescer, EcosystemLayer, ImageView } from "../plugins/coalescer.ts";
import type { Finding, PackageFinding } from "../plugins/finding.ts";
import { packageIdentity } from "./package-identity.ts";

/** A package as its database lists it. */
export interface ListedPackage {
  readonly finding: PackageFinding;
  /** The layer that brought it, counted from the base. */
  readonly introducedAt: number;
}

/** The repositories that a package comes from. */
export type OriginOf = (listed: ListedPackage) => readonly Omit<PackageRepository, "id">[];

/** How one packaging system's databases relate to the rest of the image. */
export interface DatabaseCoalescing {
  /** Where the packages of an image come from. */
  readonly origins: (layers: readonly EcosystemLayer[], image: ImageView) => OriginOf;
}

/**
 * All packages come from the repositories that files of the image name, where `installsFrom` says so.
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
 * Coalesces packages that live in databases: a database that is still there in the finished image speaks for all its
 * packages, older copies of it do not. A package came with the lowest layer from which on every copy lists it.
 * @example
 * const coalescer = coalesceDatabases({ origins: repositoryFiles((file) => file.startsWith("etc/apt/")) });
 */
export function coalesceDatabases({ origins }: DatabaseCoalescing): Coalescer {
  return function* coalesce(layers, image) {
    const copies = databaseCopies(layers);
    const originOf = origins(layers, image);
    for (const [index, copy] of survivingCopies(copies, image)) {
      const older = (copies.get(copy.path) ?? []).filter((other) => other.index < index);
      for (const [identity, finding] of copy.packages) {
        const from = introducedBy(copy, older, identity);
        const listed = { finding: withOrigin(finding, older, identity), introducedAt: from.index };
        yield coalesced(listed, {
          introduced: from.layer,
          repositories: originOf(listed),
          distribution: image.distributionAt(index),
        });
      }
    }
  };
}

interface DatabaseCopy {
  readonly path: string;
  readonly index: number;
  readonly layer: Digest;
  readonly packages: Map<string, PackageFinding>;
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
    const copy = copies.get(path) ?? { path, index, layer: layer.digest, packages: new Map() };
    if (finding.kind === "package") copy.packages.set(packageIdentity(finding.package), finding);
    copies.set(path, copy);
  }
  return copies.values();
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
    if (newest !== undefined && image.survives(path, newest.index)) yield [newest.index, newest];
  }
}

function introducedBy(copy: DatabaseCopy, older: readonly DatabaseCopy[], identity: string): DatabaseCopy {
  const since = older.findLastIndex((other) => !other.packages.has(identity)) + 1;
  return older[since] ?? copy;
}

/** What a package was installed from may be known in the layer that brought it only. */
function withOrigin(finding: PackageFinding, older: readonly DatabaseCopy[], identity: string): PackageFinding {
  if (finding.installedFrom !== undefined) return finding;
  const known = older.findLast((copy) => copy.packages.get(identity)?.installedFrom !== undefined);
  const installedFrom = known?.packages.get(identity)?.installedFrom;
  return installedFrom === undefined ? finding : { ...finding, installedFrom };
}

interface ListedIn {
  readonly introduced: Digest;
  readonly repositories: readonly Omit<PackageRepository, "id">[];
  readonly distribution: CoalescedPackage["distribution"];
}

function coalesced({ finding }: ListedPackage, { introduced, repositories, distribution }: ListedIn): CoalescedPackage {
  return {
    package: finding.package,
    packageDb: finding.packageDb,
    introducedIn: introduced,
    repositories: finding.thirdParty === undefined ? repositories : [{ name: finding.thirdParty, key: thirdPartyKey }],
    ...(distribution === undefined ? {} : { distribution }),
  };
}
