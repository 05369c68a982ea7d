import {
  type Coverage,
  coverageUnknown,
  type DatabaseCoverage,
  type Environment,
  type EvidencePath,
  type LayerCoverage,
  type Problem,
  packageFacts,
  type UnassessedPackages,
  type UndecidedPackages,
  unassessedKinds,
} from "../model/index-report.ts";
import {
  digestAt,
  itemsAt,
  type JsonPlace,
  memberAt,
  optionalItemsAt,
  optionalStringAt,
  sizeAt,
  stringAt,
  unexpected,
} from "../model/json-place.ts";
import { type PackageRepository, thirdPartyKey } from "../model/package.ts";
import type { Inventory } from "./inventory.ts";
import type { CoverageJson } from "./shapes.ts";

/** The JSON form of a coverage. */
export function toCoverageJson(coverage: Coverage): CoverageJson {
  const { status, layers, databases, problems, unassessed, thirdPartyPackages, undecided } = coverage;
  return {
    status,
    layers: layers.map(({ digest, status, message }) => ({
      digest,
      status,
      message,
    })),
    databases: databases.map(({ path, layer, packages }) => ({ path, layer, packages })),
    problems: problems.map(({ at, code, message }) => ({ at, code, message })),
    unassessed: unassessed.map(({ kind, count, evidence }) => ({
      kind,
      count,
      evidence: evidence.map(({ path, layer }) => ({ path, layer })),
    })),
    third_party_packages: thirdPartyPackages,
    undecided_packages: undecided?.map(({ fact, packageIds }) => ({ fact, package_ids: packageIds })),
  };
}

/** Parses a coverage. Reports of older versions have neither `unassessed` nor `undecided_packages`. @throws ScanError with the code of `place` */
export function parseCoverage(place: JsonPlace): Coverage {
  const status = memberAt(place, "status");
  if (status.value !== "complete" && status.value !== "partial") throw unexpected(status, "complete or partial");
  const undecided = optionalItemsAt(memberAt(place, "undecided_packages")).map(parseUndecidedPackages);
  return {
    status: status.value,
    layers: itemsAt(memberAt(place, "layers")).map(parseLayer),
    databases: itemsAt(memberAt(place, "databases")).map(parseDatabase),
    problems: itemsAt(memberAt(place, "problems")).map(parseProblem),
    unassessed: optionalItemsAt(memberAt(place, "unassessed")).map(parseUnassessed),
    thirdPartyPackages: sizeAt(memberAt(place, "third_party_packages")),
    undecided: undecided.length > 0 ? undecided : undefined,
  };
}

/**
 * The coverage of a report without one: its databases are those of its packages, and it is partial, because nothing says that all of the image
 * was read. Its layers are unknown.
 * @param at the document, in the problem that says so
 */
export function assumedCoverage(inventory: Inventory, at: string): Coverage {
  const message = "it does not say which parts of the image were read";
  return {
    status: "partial",
    layers: [],
    databases: databasesOf(Object.values(inventory.environments).flat()),
    problems: [{ at, code: coverageUnknown, message }, ...unplacedPackages(inventory, at)],
    unassessed: [],
    thirdPartyPackages: Object.values(inventory.environments).filter((seen) => isThirdParty(seen, inventory)).length,
  };
}

/** Packages of which nothing says what distribution or repository they are from. No advisory can be about them. */
function unplacedPackages(inventory: Inventory, at: string): readonly Problem[] {
  const { packages, distributions, repositories, environments } = inventory;
  const isNamed = ({ id: _, ...names }: PackageRepository) => Object.values(names).some((each) => each !== undefined);
  const isPlaced = ({ distributionId = "", repositoryIds }: Environment) =>
    distributions[distributionId]?.did !== undefined || repositoryIds.some((id) => isNamed(repositories[id] ?? { id }));
  const isUnplaced = (id: string) => !Object.hasOwn(environments, id) || !environments[id]?.some(isPlaced);
  const unplaced = Object.keys(packages).filter(isUnplaced).length;
  if (unplaced === 0) return [];
  const message = `of ${unplaced} packages it names neither the distribution nor the repository: they were not judged`;
  return [{ at, code: "unplaced_packages", message }];
}

function databasesOf(environments: readonly Environment[]): readonly DatabaseCoverage[] {
  const byPath = Map.groupBy(environments, ({ packageDb }) => packageDb);
  return [...byPath]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .flatMap(([path, seen]) => {
      const [first] = seen;
      return first?.introducedIn === undefined ? [] : [{ path, layer: first.introducedIn, packages: seen.length }];
    });
}

function isThirdParty(seen: readonly Environment[], { repositories }: Inventory): boolean {
  return seen.some(({ repositoryIds }) => repositoryIds.some((id) => repositories[id]?.key === thirdPartyKey));
}

function parseLayer(place: JsonPlace): LayerCoverage {
  const message = optionalStringAt(memberAt(place, "message"));
  return {
    digest: digestAt(memberAt(place, "digest")),
    status: parseLayerStatus(memberAt(place, "status")),
    message,
  };
}

function parseLayerStatus(place: JsonPlace): LayerCoverage["status"] {
  const { value } = place;
  if (value === "read" || value === "foreign") return value;
  throw unexpected(place, "read or foreign");
}

function parseDatabase(place: JsonPlace): DatabaseCoverage {
  return {
    path: stringAt(memberAt(place, "path")),
    layer: digestAt(memberAt(place, "layer")),
    packages: sizeAt(memberAt(place, "packages")),
  };
}

function parseProblem(place: JsonPlace): Problem {
  const [at, code, message] = [memberAt(place, "at"), memberAt(place, "code"), memberAt(place, "message")];
  return { at: stringAt(at), code: stringAt(code), message: stringAt(message) };
}

function parseUnassessed(place: JsonPlace): UnassessedPackages {
  const kind = memberAt(place, "kind");
  const known = unassessedKinds.find((name) => name === kind.value);
  if (known === undefined) throw unexpected(kind, `one of ${unassessedKinds.join(", ")}`);
  return {
    kind: known,
    count: sizeAt(memberAt(place, "count")),
    evidence: itemsAt(memberAt(place, "evidence")).map(parseEvidence),
  };
}

function parseUndecidedPackages(place: JsonPlace): UndecidedPackages {
  const fact = memberAt(place, "fact");
  const known = packageFacts.find((name) => name === fact.value);
  if (known === undefined) throw unexpected(fact, `one of ${packageFacts.join(", ")}`);
  return { fact: known, packageIds: itemsAt(memberAt(place, "package_ids")).map(stringAt) };
}

function parseEvidence(place: JsonPlace): EvidencePath {
  return { path: stringAt(memberAt(place, "path")), layer: digestAt(memberAt(place, "layer")) };
}
