import { listReport, type StatedPackage } from "../index/list-report.ts";
import { packageManagerOf } from "../index/unassessed.ts";
import type { Digest } from "../model/digest.ts";
import {
  type IndexReport,
  type UnassessedKind,
  type UnassessedPackages,
  unassessedKinds,
} from "../model/index-report.ts";
import { distributionPackageKey } from "../model/package.ts";
import type { Sbom, SbomPackage } from "./sbom.ts";
import { distributionTypes, typeOf } from "./unstated-facts.ts";

/**
 * The index report of a bill of materials. A package is found at its locations, or in the document if it has none. The distribution that the document
 * names is the report's, even without a package of it. What the document says that it
 * lacks itself is not covered.
 *
 * @param name of the document
 * @param digest of its bytes
 * @example
 * import { readFile } from "node:fs/promises";
 *
 * const sbom = readSbom(await readFile("app.cdx.json"), "app.cdx.json");
 * const report = sbomReport(sbom, { name: "app.cdx.json", digest: parseDigest(`sha256:${"0".repeat(64)}`) });
 */
export function sbomReport(
  sbom: Sbom,
  { name, digest }: { readonly name: string; readonly digest: Digest },
): IndexReport {
  return listReport({
    digest,
    packages: sbom.packages.flatMap((found) => placesOf(found, name)),
    distribution: sbom.distribution,
    problems: [
      ...sbom.problems.map(({ at, message }) => ({ at: `${name}: ${at}`, code: "malformed_sbom", message })),
      ...(sbom.gaps?.problems ?? []),
    ],
    unassessed: [...(sbom.gaps?.unassessed ?? []), ...unlistedSystems(sbom)],
  });
}

/** The types of package URLs of the packages that a package manager installs. Any of a distribution where it is not known. */
const typesOfManagers: Readonly<Partial<Record<UnassessedKind, readonly string[]>>> = {
  ...{ apk: ["apk"], dpkg: ["deb"], nix: ["nix"], opkg: ["opkg", "deb", "apk"], pacman: ["alpm"], portage: ["ebuild"] },
  rpm: ["rpm"],
};

/**
 * The operating systems of which a document lists no package, as an image has one whose database is missing. A package of a distribution that the document
 * does not name may be of each.
 */
function unlistedSystems({ systems = [], packages, gaps }: Sbom): readonly UnassessedPackages[] {
  const distinct = new Map(systems.map((each) => [`${each.did} ${each.versionId}`, each])); // several documents may be of one image
  const kinds = distinct
    .values()
    .toArray()
    .flatMap((system) => {
      const kind = packageManagerOf(system);
      if (kind === undefined) return [];
      const types = typesOfManagers[kind] ?? distributionTypes;
      const isListed = packages.some((found) => {
        const did = found.distribution?.did ?? system.did;
        return types.includes(typeOf(found)) && (did === system.did || !systems.some((each) => each.did === did));
      });
      return isListed || gaps?.unassessed.some((each) => each.kind === kind) ? [] : [kind];
    });
  return unassessedKinds.flatMap((kind) => {
    const count = kinds.filter((each) => each === kind).length;
    return count === 0 ? [] : [{ kind, count, evidence: [] }];
  });
}

/**
 * An entry for each location of a package and for each package of the distribution that owns its files; a package without locations is in the
 * document. Documents do not say which place is of which owner, and no verdict depends on that.
 */
export function placesOf(
  { package: found, purl, distribution, repositories, locations, reference, details, needs }: SbomPackage,
  name: string,
): StatedPackage[] {
  const places = locations.length === 0 ? [name] : locations;
  const owners = repositories.filter(({ key }) => key === distributionPackageKey);
  const others = repositories.filter(({ key }) => key !== distributionPackageKey);
  return Array.from({ length: Math.max(places.length, owners.length) }, (_, index) => ({
    name: purl ?? found.name,
    package: found,
    packageDb: places[index] ?? places.at(-1) ?? name,
    repositories: owners.length < 2 ? repositories : [...others, ...atOrLast(owners, index)],
    distribution,
    details,
    reference,
    needs,
  }));
}

function atOrLast<Each>(list: readonly Each[], index: number): readonly Each[] {
  const at = Math.min(index, list.length - 1);
  return list.slice(at, at + 1);
}
