import type { Distribution } from "../model/distribution.ts";
import type { Environment, IndexReport } from "../model/index-report.ts";
import {
  digestAt,
  isAbsent,
  itemsAt,
  type JsonPlace,
  memberAt,
  membersAt,
  optionalItemsAt,
  optionalStringAt,
  placeError,
  stringAt,
  unexpected,
} from "../model/json-place.ts";
import type { Package, PackageKind, PackageRepository } from "../model/package.ts";
import { allAtOnce, type Steps } from "../model/slices.ts";
import { addMember, convertMap, membersPerStep, present } from "./members.ts";
import type { DistributionJson, EnvironmentJson, InventoryJson, PackageJson, RepositoryJson } from "./shapes.ts";

/** The content of an image, which both reports contain. */
export type Inventory = Pick<IndexReport, "packages" | "distributions" | "repositories" | "environments">;

/** The JSON form of the four maps, each in the order of its keys. */
export function* inventoryJson({
  packages,
  distributions,
  repositories,
  environments,
}: Inventory): Steps<InventoryJson> {
  return {
    packages: yield* convertMap(packages, toPackageJson),
    distributions: yield* convertMap(distributions, toDistributionJson),
    repository: yield* convertMap(repositories, toRepositoryJson),
    environments: yield* convertMap(environments, (seen) => seen.map(toEnvironmentJson)),
  };
}

/** The JSON form of a package with its source. */
export function toPackageJson(found: Package): PackageJson {
  const { id, name, version, kind, source, normalizedVersion, module, arch, cpe } = found;
  return {
    id,
    name,
    version,
    kind,
    source: source && toPackageJson(source),
    ...present({ normalized_version: normalizedVersion, module, arch, cpe }),
  };
}

/** The JSON form of a distribution. `like` is not on the wire. */
export function toDistributionJson(distribution: Distribution): DistributionJson {
  const { id, did, name, version, versionCodeName, versionId, arch, cpe, prettyName } = distribution;
  const renamed = { version_code_name: versionCodeName, version_id: versionId, arch, cpe, pretty_name: prettyName };
  return { id, ...present({ did, name, version, ...renamed }) };
}

/** The JSON form of a package repository. */
export function toRepositoryJson({ id, name, key, uri, cpe }: PackageRepository): RepositoryJson {
  return { id, ...present({ name, key, uri, cpe }) };
}

function toEnvironmentJson({ packageDb, distributionId, introducedIn, repositoryIds }: Environment): EnvironmentJson {
  return {
    ...present({ package_db: packageDb, distribution_id: distributionId, introduced_in: introducedIn }),
    repository_ids: repositoryIds.length > 0 ? repositoryIds : undefined,
  };
}

/**
 * Parses the four maps of a report; missing ones are empty. Checks that every id in an environment is in its map.
 * @throws ScanError with the code of `report`
 */
export function parseInventory(report: JsonPlace): Inventory {
  return allAtOnce(inventorySteps(report));
}

/** As {@link parseInventory}, in steps. */
export function* inventorySteps(report: JsonPlace): Steps<Inventory> {
  const inventory: Inventory = {
    packages: yield* parseMap(memberAt(report, "packages"), parsePackage),
    distributions: yield* parseMap(memberAt(report, "distributions"), parseDistribution),
    repositories: yield* parseMap(memberAt(report, "repository"), parseRepository),
    environments: yield* parseMap(memberAt(report, "environments"), (seen) => itemsAt(seen).map(parseEnvironment)),
  };
  yield;
  checkReferences(inventory, memberAt(report, "environments"));
  return inventory;
}

/** Parses the members of an object, in their order. */
export function* parseMap<T>(
  map: JsonPlace,
  parse: (place: JsonPlace, key: string) => T,
): Steps<Readonly<Record<string, T>>> {
  const made: Record<string, T> = {};
  let members = 0;
  for (const [key, place] of membersAt(map)) {
    addMember(made, key, parse(place, key));
    if (++members % membersPerStep === 0) yield;
  }
  return made;
}

/** Parses the `package` of the scanner API. For a package without a source, Clair writes a source without a name. @throws ScanError */
export function parsePackage(place: JsonPlace, key: string): Package {
  const source = memberAt(place, "source");
  const hasSource = !isAbsent(source) && optionalStringAt(memberAt(source, "name")) !== undefined;
  return {
    ...parseOwnMembers(place, key, "BINARY"),
    ...(hasSource && { source: parseOwnMembers(source, sourceId(source, key), "SOURCE") }),
  };
}

function sourceId(source: JsonPlace, key: string): string {
  return optionalStringAt(memberAt(source, "id")) ?? `${key}.source`;
}

function parseOwnMembers(place: JsonPlace, id: string, usualKind: PackageKind): Package {
  const name = memberAt(place, "name");
  if (stringAt(name) === "") throw unexpected(name, "a name");
  const optional = (member: string): string | undefined => optionalStringAt(memberAt(place, member));
  return {
    id,
    name: stringAt(name),
    version: stringAt(memberAt(place, "version")),
    kind: parseKind(memberAt(place, "kind"), usualKind),
    ...present({
      normalizedVersion: optional("normalized_version"),
      module: optional("module"),
      arch: optional("arch"),
      cpe: optional("cpe"),
    }),
  };
}

function parseKind(place: JsonPlace, usual: PackageKind): PackageKind {
  const kind = optionalStringAt(place)?.toUpperCase() ?? usual;
  if (kind !== "BINARY" && kind !== "SOURCE") throw unexpected(place, "BINARY or SOURCE");
  return kind;
}

/**
 * Parses the `distribution` of the scanner API. Where it has only a `version`, its release is taken from that: `version_id` is optional, and
 * without a release no advisory would be found.
 * @throws ScanError where a member is not a string
 */
export function parseDistribution(place: JsonPlace, id: string): Distribution {
  const optional = (member: string): string | undefined => optionalStringAt(memberAt(place, member));
  return {
    id,
    ...present({
      did: optional("did"),
      name: optional("name"),
      version: optional("version"),
      versionCodeName: optional("version_code_name"),
      versionId: optional("version_id") ?? releaseOf(optional("version")),
      arch: optional("arch"),
      cpe: optional("cpe"),
      prettyName: optional("pretty_name"),
    }),
  };
}

/** The release in the text of a version: `12` of `12 (bookworm)`, `15.4` of `15-SP4`, `edge` of `edge`. */
function releaseOf(version = ""): string | undefined {
  const release = /^(?:edge$|\d[\da-z._-]*)/.exec(version.toLowerCase())?.[0];
  return release?.replace(/^(\d+)-sp(\d+)$/, "$1.$2");
}

/** Parses the `repository` of the scanner API. @throws ScanError where a member is not a string */
export function parseRepository(place: JsonPlace, id: string): PackageRepository {
  const optional = (member: string): string | undefined => optionalStringAt(memberAt(place, member));
  return {
    id,
    ...present({ name: optional("name"), key: optional("key"), uri: optional("uri"), cpe: optional("cpe") }),
  };
}

/** All members are optional in the contract. Other indexers write empty texts for ids that they do not have. */
function parseEnvironment(place: JsonPlace): Environment {
  const introducedIn = memberAt(place, "introduced_in");
  return {
    packageDb: optionalStringAt(memberAt(place, "package_db")) ?? "",
    introducedIn: optionalStringAt(introducedIn) === undefined ? undefined : digestAt(introducedIn),
    ...present({ distributionId: optionalStringAt(memberAt(place, "distribution_id")) }),
    repositoryIds: optionalItemsAt(memberAt(place, "repository_ids")).flatMap((id) => optionalStringAt(id) ?? []),
  };
}

/** Throws on missing ids: without its distribution, a package would silently match no advisory. */
function checkReferences({ packages, distributions, repositories, environments }: Inventory, map: JsonPlace): void {
  for (const [id, seen] of Object.entries(environments)) {
    if (!Object.hasOwn(packages, id)) throw placeError(map, `package ${shown(id)} is not in packages`);
    for (const { distributionId, repositoryIds } of seen) {
      if (distributionId !== undefined && !Object.hasOwn(distributions, distributionId)) {
        throw placeError(memberAt(map, id), `distribution ${shown(distributionId)} is not in distributions`);
      }
      const missing = repositoryIds.find((repositoryId) => !Object.hasOwn(repositories, repositoryId));
      if (missing !== undefined)
        throw placeError(memberAt(map, id), `repository ${shown(missing)} is not in repository`);
    }
  }
}

function shown(id: string): string {
  return JSON.stringify(id.slice(0, 100));
}
