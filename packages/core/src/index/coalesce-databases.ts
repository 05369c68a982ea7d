import type { Digest } from "../model/digest.ts";
import { type PackageRepository, thirdPartyKey } from "../model/package.ts";
import type { CoalescedPackage, Coalescer, EcosystemLayer, Finding, ImageView, PackageFinding } from "../plugins.ts";
import { packageIdentity } from "./package-identity.ts";

/** How one packaging system's databases relate to the rest of the image. */
export interface DatabaseCoalescing {
  /** Whether the repositories named in a file are those this system installs from. */
  readonly installsFrom: (repositoryFile: string) => boolean;
}

/**
 * Coalesces packages that live in databases: a database that is still there in the finished image speaks for all its
 * packages, older copies of it do not. A package came with the lowest layer from which on every copy lists it.
 * @example
 * const coalescer = coalesceDatabases({ installsFrom: (file) => file.startsWith("etc/apt/") });
 */
export function coalesceDatabases({ installsFrom }: DatabaseCoalescing): Coalescer {
  return function* coalesce(layers, image) {
    const copies = databaseCopies(layers);
    const repositories = image.repositories
      .filter((finding) => installsFrom(finding.path))
      .map((finding) => finding.repository);
    for (const [index, copy] of survivingCopies(copies, image)) {
      const older = (copies.get(copy.path) ?? []).filter((other) => other.index < index);
      for (const [identity, finding] of copy.packages) {
        yield coalesced(finding, introducedIn(copy, older, identity), repositories, image.distributionAt(index));
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

function introducedIn(copy: DatabaseCopy, older: readonly DatabaseCopy[], identity: string): Digest {
  const since = older.findLastIndex((other) => !other.packages.has(identity)) + 1;
  return older[since]?.layer ?? copy.layer;
}

function coalesced(
  finding: PackageFinding,
  introduced: Digest,
  repositories: readonly Omit<PackageRepository, "id">[],
  distribution: CoalescedPackage["distribution"],
): CoalescedPackage {
  return {
    package: finding.package,
    packageDb: finding.packageDb,
    introducedIn: introduced,
    repositories: finding.thirdParty === undefined ? repositories : [{ name: finding.thirdParty, key: thirdPartyKey }],
    ...(distribution === undefined ? {} : { distribution }),
  };
}
