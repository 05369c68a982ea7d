import type { Distribution, IndexReport, Package } from "@plimsoll/core";
import { type Cpe, parseCpe } from "@plimsoll/core/cpe";
import type { Digest } from "@plimsoll/core/digest";
import {
  derivedCpe,
  isForDevelopment,
  type ListedFile,
  mainModuleKey,
  namePatternKey,
  ownerOf,
  recordPurl,
  thirdPartyKey,
  unstatedKey,
} from "@plimsoll/core/internal";
import { type IndexRecord, indexRecords } from "@plimsoll/core/match";
import { type Purl, parsePurl } from "@plimsoll/core/purl";
import type { PackageDetails } from "@plimsoll/core/report";

/** A place in the image where a package was found. */
export interface ComponentLocation {
  /** The path of the package database or of the file from which the package was detected, without a leading slash. */
  readonly path: string;
  readonly layer?: Digest;
}

/** A package of a report as documents list it. */
export interface Component {
  /** Unique within a document: the package's id, and a number after it for each further component of the package. */
  readonly id: string;
  readonly package: Package;
  /** The namespace of the name in its ecosystem: `@babel`, `org.apache`; absent for packages of distributions. */
  readonly group?: string;
  /** The name without the group. */
  readonly name: string;
  readonly purl?: Purl;
  /** A formatted string of CPE 2.3; absent if the image does not state one. */
  readonly cpe?: Cpe;
  /** Derived from the names of the package if the image states none, for documents whose readers require one. */
  readonly derivedCpe?: Cpe;
  readonly distribution?: Distribution;
  /** The distribution in words that find it in the document again, in a report of several. */
  readonly system?: string;
  /** Whether it is a package of a distribution. A language's package has the distribution of what owns its files. */
  readonly isOfDistribution: boolean;
  /** The packages of the distribution that own its files, if they own those in all places; else none. */
  readonly owners: readonly string[];
  /** Who made it, if it is a package of a distribution that the distribution did not make. */
  readonly thirdParty?: string;
  /** The commit of the main module of a Go program that is no release: see `mainModuleKey`. */
  readonly mainModule?: string;
  /** Patterns, one of which matches its whole name, if that is not known: see `namePatternKey`. */
  readonly namePatterns: readonly string[];
  /** The facts that the document which lists the package does not state: see `unstatedKey`. */
  readonly unstated: readonly string[];
  /** Whether it is only a development dependency of a project. */
  readonly isForDevelopment: boolean;
  /** What its record says about it besides, if the report has that. */
  readonly details?: PackageDetails;
  /** The files that its packaging system lists, if the report has them. */
  readonly files?: readonly ListedFile[];
  readonly locations: readonly ComponentLocation[];
}

/** The packages of a report, in the report's order, each once. */
export function listComponents(report: IndexReport): readonly Component[] {
  const byPackage = Map.groupBy(indexRecords(report), (record) => record.package);
  return [...byPackage].map(([found, records]) => componentOf(found, records, report));
}

/**
 * The components of a bill of materials. A package that is judged otherwise in some of its places has a component for each: of two systems in one image,
 * a copy may be of another release, or of none.
 */
export function listBill(report: IndexReport): readonly Component[] {
  const byPackage = Map.groupBy(indexRecords(report), (record) => record.package);
  return [...byPackage].flatMap(([found, records]) =>
    [...Map.groupBy(records, factsOf).values()].map((alike, index) => {
      const component = componentOf(found, alike, report);
      return index === 0 ? component : { ...component, id: `${found.id}-${index + 1}` };
    }),
  );
}

/** Keys of entries that are facts about one place of a package, and that a component states. */
const factKeys: ReadonlySet<string | undefined> = new Set([mainModuleKey, namePatternKey, thirdPartyKey, unstatedKey]);

/** What a component states about the places of a package. */
function factsOf(record: IndexRecord): string {
  const { distribution, repositories } = record;
  const marks = repositories.filter(({ key }) => factKeys.has(key)).map(({ key, name }) => `${key}=${name}`);
  return JSON.stringify([distribution?.id, ownerOf(record) !== undefined, ...marks.sort()]);
}

/** A distribution as a document names it: `debian 12`. */
function systemOf({ did, name, versionId }: Distribution): string {
  return [did ?? name ?? "unnamed", versionId ?? []].flat().join(" ");
}

function componentOf(found: Package, records: readonly IndexRecord[], report: IndexReport): Component {
  const [record = { package: found, packageDb: "", repositories: [] }] = records;
  const purl = recordPurl(record);
  const cpe = formattedCpe(found.cpe);
  const owners = [...new Set(records.map(ownerOf))];
  const marks = records.flatMap(({ repositories }) => repositories);
  const thirdParty = marks.find(({ key }) => key === thirdPartyKey)?.name;
  const namesOf = (wanted: string) => [
    ...new Set(marks.flatMap(({ key, name }) => (key === wanted && name !== undefined ? [name] : []))),
  ];
  const mainModule = marks.find(({ key }) => key === mainModuleKey)?.name;
  const derived = cpe === undefined ? derivedCpe(record) : undefined;
  const { distribution } = record;
  const isOneOfSeveral = distribution !== undefined && Object.keys(report.distributions).length > 1;
  return {
    id: found.id,
    package: found,
    ...nameOf(found.name, purl),
    purl,
    cpe,
    derivedCpe: derived,
    distribution,
    system: isOneOfSeveral ? systemOf(distribution) : undefined,
    isOfDistribution: distribution !== undefined && owners.every((owner) => owner === undefined),
    owners: owners.includes(undefined) ? [] : owners.filter((owner) => owner !== undefined),
    thirdParty,
    mainModule,
    namePatterns: namesOf(namePatternKey),
    unstated: namesOf(unstatedKey),
    isForDevelopment: isForDevelopment(report, found.id),
    details: report.details?.[found.id],
    files: report.files?.[found.id],
    locations: locationsOf(records),
  };
}

/** Each place once: one that several packages own has a record for each of them. */
function locationsOf(records: readonly IndexRecord[]): readonly ComponentLocation[] {
  const byPlace = Map.groupBy(records, ({ packageDb, introducedIn = "" }) => `${introducedIn} ${packageDb}`);
  return [...byPlace.values()].flatMap(([first]) =>
    first === undefined ? [] : [{ path: first.packageDb, layer: first.introducedIn }],
  );
}

function nameOf(whole: string, purl: Purl | undefined): Pick<Component, "group" | "name"> {
  const { namespace = "" } = purl === undefined ? {} : parsePurl(purl);
  const name = whole.slice(namespace.length + 1);
  const isGrouped = namespace !== "" && name !== "" && /^[:/]/.test(whole.slice(namespace.length));
  return isGrouped && whole.startsWith(namespace) ? { group: namespace, name } : { name: whole };
}

/** A CPE name of a report as a formatted string; undefined if it is invalid. */
export function formattedCpe(text: string | undefined): Cpe | undefined {
  try {
    return text === undefined ? undefined : parseCpe(text);
  } catch {
    return undefined; // an image may contain any text
  }
}
