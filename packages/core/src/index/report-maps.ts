import type { Distribution } from "../model/distribution.ts";
import type { Environment, IndexReport, ListedFile, PackageDependencies } from "../model/index-report.ts";
import { type FoundPackage, languageKey, type Package, type PackageRepository } from "../model/package.ts";
import { type LicenseStatement, leftOutNeeds, type PackageDetails } from "../model/package-details.ts";
import { commonName } from "../model/package-name.ts";
import type { CoalescedPackage, ResolvedNeed } from "../plugins/coalescer.ts";
import { withoutUndefined } from "../without-undefined.ts";
import { allFindings } from "./image-view.ts";
import type { LayerFindings } from "./layer-findings.ts";
import { packageIdentity } from "./package-identity.ts";

type Release = Omit<Distribution, "id">;
type Repository = Omit<PackageRepository, "id">;

interface Ids {
  readonly packages: ReportIds<CoalescedPackage>;
  readonly sources: ReportIds<FoundPackage>;
  readonly releases: ReportIds<Release>;
  readonly repositories: ReportIds<Repository>;
}

/** The part of an index report that is made of packages and what they refer to. */
export type ReportMaps = Pick<
  IndexReport,
  "packages" | "distributions" | "repositories" | "environments" | "details" | "dependencies" | "files"
>;

/** What is known beside the packages and layers. */
interface MoreFacts {
  /** A distribution that is known otherwise. */
  readonly stated?: Release;
  /** What a package needs among the others. Default: nothing. */
  readonly needsOf?: (found: CoalescedPackage) => Iterable<ResolvedNeed>;
  /** Whether it is known that a package needs nothing more. Default: if its record says what it needs. */
  readonly statesNeeds?: (found: CoalescedPackage) => boolean;
  /** The files of a package. Absent: they are not looked for. */
  readonly filesOf?: (found: CoalescedPackage) => readonly ListedFile[];
}

/**
 * Numbers packages, distributions and repositories, and maps them by id. Includes every distribution of any layer or package.
 */
export function reportMaps(
  coalesced: readonly CoalescedPackage[],
  layers: readonly (LayerFindings | undefined)[],
  { stated, needsOf = () => [], statesNeeds = hasNeeds, filesOf }: MoreFacts = {},
): ReportMaps {
  const ids = numberAll(coalesced, [...(stated === undefined ? [] : [stated]), ...releasesIn(layers)]);
  return {
    packages: Object.fromEntries(
      ids.packages.entries.map(([id, { package: found }]) => [id, identified(found, id, ids)]),
    ),
    distributions: withIds(ids.releases),
    repositories: withIds(ids.repositories),
    environments: environmentsById(coalesced, ids),
    details: detailsById(coalesced, ids),
    dependencies: dependenciesById(coalesced, ids, { needsOf, statesNeeds }),
    files: filesOf && filesById(coalesced, ids, filesOf),
  };
}

function hasNeeds({ details }: CoalescedPackage): boolean {
  return details?.requires !== undefined;
}

/** A package in several places needs what it needs in any of them. */
function dependenciesById(
  coalesced: readonly CoalescedPackage[],
  ids: Ids,
  { needsOf, statesNeeds }: Required<Pick<MoreFacts, "needsOf" | "statesNeeds">>,
): Record<string, PackageDependencies> | undefined {
  const found = new Map<
    string,
    { readonly met: Set<string>; readonly unmet: Set<string>; isStated: boolean; isUnknown: boolean }
  >();
  for (const each of coalesced) {
    const needs = [...needsOf(each)];
    if (!statesNeeds(each) && needs.every(({ met }) => met.length === 0)) continue;
    const id = ids.packages.idOf(each);
    const known = found.get(id) ?? { met: new Set(), unmet: new Set(), isStated: false, isUnknown: false };
    found.set(id, known);
    known.isStated ||= statesNeeds(each);
    known.isUnknown ||= needs.some(({ isUnknown }) => isUnknown === true);
    const leftOut = leftOutNeeds(each.details ?? {});
    if (leftOut !== undefined) known.unmet.add(leftOut);
    for (const { need, met, isOptional, isUnknown } of needs) {
      for (const other of met) known.met.add(ids.packages.idOf(other));
      if (met.length === 0 && isOptional === undefined && isUnknown === undefined) known.unmet.add(need);
      known.met.delete(id);
    }
  }
  const all = [...found].map(([id, { met, unmet, isStated, isUnknown }]): [string, PackageDependencies] => {
    const packageIds = [...met].sort((a, b) => Number(a) - Number(b));
    const isPartial = isStated && !isUnknown ? undefined : true;
    return [id, { packageIds, unmet: unmet.size === 0 ? undefined : [...unmet], isPartial }];
  });
  return all.length === 0 ? undefined : Object.fromEntries(all);
}

/** A package in several places has the files of all. */
function filesById(
  coalesced: readonly CoalescedPackage[],
  ids: Ids,
  filesOf: NonNullable<MoreFacts["filesOf"]>,
): Record<string, readonly ListedFile[]> {
  const found: Record<string, ListedFile[]> = {};
  for (const [id, places] of Map.groupBy(coalesced, (each) => ids.packages.idOf(each))) {
    const byPath = new Map(places.flatMap((each) => filesOf(each).map((file) => [file.path, file] as const)));
    if (byPath.size > 0) found[id] = [...byPath.values()].sort((a, b) => (a.path < b.path ? -1 : 1));
  }
  return found;
}

/** Of a package in several places, all licences count, and of the rest each statement of the first that has it. */
function detailsById(coalesced: readonly CoalescedPackage[], ids: Ids): Record<string, PackageDetails> | undefined {
  const details: Record<string, PackageDetails> = {};
  for (const found of coalesced) {
    if (found.details === undefined) continue;
    const id = ids.packages.idOf(found);
    const known = details[id];
    if (known === undefined) details[id] = found.details;
    else if (known !== found.details) details[id] = joined(known, found.details);
  }
  return Object.keys(details).length === 0 ? undefined : details;
}

function joined(known: PackageDetails, other: PackageDetails): PackageDetails {
  const isKnown = ({ text, expression }: LicenseStatement) =>
    known.licenses?.some((each) => each.text === text && each.expression === expression) === true;
  const licenses = [...(known.licenses ?? []), ...(other.licenses ?? []).filter((each) => !isKnown(each))];
  return { ...other, ...withoutUndefined(known), licenses: licenses.length === 0 ? undefined : licenses };
}

function releasesIn(layers: readonly (LayerFindings | undefined)[]): readonly Release[] {
  return layers.flatMap((layer) =>
    [...allFindings(layer)].flatMap((finding) =>
      finding.kind === "distribution" && finding.root === undefined ? [finding.distribution] : [],
    ),
  );
}

function numberAll(coalesced: readonly CoalescedPackage[], seen: readonly Release[]): Ids {
  const numbered = numberValues(coalesced, identityOf);
  const sources = coalesced.flatMap((found) => found.package.source ?? []);
  const releases = [...seen, ...coalesced.flatMap(({ distribution }) => distribution ?? [])];
  return {
    packages: numbered,
    sources: numberValues(sources, packageIdentity, numbered.entries.length),
    releases: numberValues<Release>(releases, canonical),
    repositories: numberValues<Repository>(
      coalesced.flatMap((found) => found.repositories),
      canonical,
    ),
  };
}

/**
 * Packages of two languages are different even if they have the same name and version. Two spellings of a name (`PyYAML`, `pyyaml`) are one package,
 * in several places.
 */
function identityOf({ package: found, repositories }: CoalescedPackage): string {
  const language = repositories.find(({ key }) => key === languageKey)?.name;
  if (language === undefined) return packageIdentity(found);
  return `${packageIdentity({ ...found, name: commonName(language, found.name) })}\0\0${language}`;
}

function identified(found: FoundPackage, id: string, ids: Ids): Package {
  const { source, ...own } = found;
  if (source === undefined) return { id, ...own };
  return { id, ...own, source: identified(source, ids.sources.idOf(source), ids) };
}

function withIds<Value extends object>(ids: ReportIds<Value>): Record<string, Value & { readonly id: string }> {
  return Object.fromEntries(ids.entries.map(([id, value]) => [id, { id, ...value }]));
}

/**
 * The places of each package, those of the image itself before those of systems in its folders: the first is shown where there is room for one. The record is in id
 * order without sorting: JavaScript visits integer-like keys in numeric order.
 */
function environmentsById(coalesced: readonly CoalescedPackage[], ids: Ids): Record<string, Environment[]> {
  const environments: Record<string, Environment[]> = {};
  const ofOthers = new Set<Environment>();
  for (const found of coalesced) {
    const id = ids.packages.idOf(found);
    const environment = environmentOf(found, ids);
    if (found.root !== undefined) ofOthers.add(environment);
    environments[id] ??= [];
    environments[id].push(environment); // an image may have one package at very many places: do not copy the list
  }
  for (const list of Object.values(environments)) {
    list.sort((a, b) => Number(ofOthers.has(a)) - Number(ofOthers.has(b)) || (a.packageDb < b.packageDb ? -1 : 1));
  }
  return environments;
}

function environmentOf(found: CoalescedPackage, ids: Ids): Environment {
  const { packageDb, introducedIn, distribution } = found;
  const repositoryIds = found.repositories.map((repository) => ids.repositories.idOf(repository));
  if (distribution === undefined) return { packageDb, introducedIn, repositoryIds };
  return { packageDb, introducedIn, distributionId: ids.releases.idOf(distribution), repositoryIds };
}

function canonical(value: object): string {
  return JSON.stringify(Object.entries(withoutUndefined(value)).sort(([a], [b]) => (a < b ? -1 : 1)));
}

/**
 * Ids of the distinct values of a report. Values with the same key share an id. Ids are decimal numbers in the order of the keys,
 * so the same findings always get the same ids.
 */
interface ReportIds<Value> {
  /** @throws Error when the value was not among those numbered */
  idOf(value: Value): string;
  /** The distinct values with their ids, in id order. */
  readonly entries: readonly (readonly [id: string, value: Value])[];
}

/** Numbers `values` from `after + 1` on. Of several with the same key the first counts. */
function numberValues<Value>(values: Iterable<Value>, keyOf: (value: Value) => string, after = 0): ReportIds<Value> {
  const byKey = new Map<string, Value>();
  for (const value of values) {
    const key = keyOf(value);
    if (!byKey.has(key)) byKey.set(key, value);
  }
  const keys = [...byKey.keys()].sort();
  const ids = new Map(keys.map((key, index) => [key, String(after + index + 1)]));
  return {
    idOf(value) {
      const id = ids.get(keyOf(value));
      if (id === undefined) throw new Error(`not numbered: ${keyOf(value)}`);
      return id;
    },
    entries: [...ids].map(([key, id]) => [id, byKey.get(key) as Value] as const),
  };
}
