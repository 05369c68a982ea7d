import { standardLibrary, toolchain } from "../ecosystems/go/parts.ts";
import { untaggedCommit } from "../ecosystems/go/unreleased.ts";
import { organizations } from "../model/organizations.ts";
import {
  distributionPackageKey,
  type FoundPackage,
  languageKey,
  mainModuleKey,
  namePatternKey,
  type PackageRepository,
  unstatedKey,
} from "../model/package.ts";
import { type OptionalFact, type SilenceProof, toolPurlTypes } from "../model/sbom-tools.ts";

/** A package of a document, with the package URL that the document has for it and the places where it was found. */
export interface DocumentPackage {
  readonly purl?: string;
  readonly package: FoundPackage;
  readonly repositories: readonly Omit<PackageRepository, "id">[];
  readonly locations?: readonly string[];
  /** Set if the document says who made the package. */
  readonly statesMaker?: true;
  /** Set if the document says which epoch the package has, or that it has none. */
  readonly statesEpoch?: true;
}

/** How it is known whether a document states a fact. */
interface FactRule {
  readonly fact: OptionalFact;
  /** Whether the fact may exist for a package, in a document with packages of the types. */
  concerns(found: DocumentPackage, types: ReadonlySet<string>): boolean;
  isStated(found: DocumentPackage): boolean;
}

const rules: readonly FactRule[] = [
  {
    fact: "group",
    concerns: mayGuessGroup,
    isStated: () => false,
  },
  {
    fact: "group",
    concerns: lacksHost,
    isStated: () => false,
  },
  {
    fact: "source",
    concerns: (found) => sourceTypes.has(typeOf(found)),
    isStated: ({ package: { source } }) => source !== undefined,
  },
  {
    fact: "epoch",
    concerns: (found) => typeOf(found) === "rpm",
    isStated: ({ package: { version, source }, statesEpoch }) =>
      statesEpoch === true || hasEpoch(version) || hasEpoch(source?.version),
  },
  {
    fact: "owner",
    concerns: (found, types) => distributionTypes.some((type) => types.has(type)) && mayBeOwned(found),
    isStated: ({ repositories }) => repositories.some(({ key }) => key === distributionPackageKey),
  },
  {
    fact: "maker",
    concerns: (found) => makerTypes.has(typeOf(found)),
    isStated: ({ statesMaker }) => statesMaker === true,
  },
  {
    fact: "version",
    concerns: mayBeUnreleased,
    isStated: () => false,
  },
];

/** `pkg:maven/log4j/log4j@1.2`: right here, but a guess for most archives. So is an organization that has no artifacts of its own. */
function mayGuessGroup(found: DocumentPackage): boolean {
  const [group = "", artifact] = found.package.name.split(":");
  return typeOf(found) === "maven" && artifact !== undefined && (group === artifact || organizations.has(group));
}

/**
 * Whether the path of a Go module has no host, which every module has that is published: `mux` for `github.com/gorilla/mux`. The main module of a program may have none.
 * @see https://go.dev/ref/mod#module-path
 */
function lacksHost(found: DocumentPackage): boolean {
  const { name } = found.package;
  if (typeOf(found) !== "golang" || name === standardLibrary || name === toolchain) return false;
  return !name.split("/", 1)[0]?.includes(".") && !found.repositories.some(({ key }) => key === mainModuleKey);
}

/**
 * The packages, of those whose group may be a guess, with the pattern for names of any group: advisories about an artifact of this name are looked up if none has
 * the group that is stated.
 */
function withAnyGroup<Each extends DocumentPackage>(found: Each): Each {
  if (!mayGuessGroup(found)) return found;
  const pattern = found.package.name.replace(/^[^:]*/, "").toLowerCase();
  return { ...found, repositories: [...found.repositories, { name: pattern, key: namePatternKey }] };
}

/**
 * Whether a Go module has the version of a commit with no tag before it. A dependency has one that Go orders below its releases; a main module has it
 * because it was built from a copy without tags.
 */
function mayBeUnreleased(found: DocumentPackage): boolean {
  if (typeOf(found) !== "golang" || untaggedCommit(found.package.version) === undefined) return false;
  return !found.repositories.some(({ key }) => key === mainModuleKey);
}

const sourceTypes: ReadonlySet<string> = new Set(["apk", "deb", "rpm"]);
/** The types of packages of which `thirdPartyOf` tells by their maker whether the distribution made them. */
const makerTypes: ReadonlySet<string> = new Set(["deb", "rpm"]);
/** The types of packages of distributions that own files. */
export const distributionTypes: readonly string[] = ["alpm", "apk", "deb", "ebuild", "rpm"];

function hasEpoch(version = ""): boolean {
  return /^\d+:/.test(version);
}

/** Whether a language's package is where packages of distributions have their files, or at a place that is not stated. */
function mayBeOwned({ repositories, locations = [] }: DocumentPackage): boolean {
  if (!repositories.some(({ key }) => key === languageKey)) return false;
  return locations.length === 0 || locations.some((path) => placeOfDistribution.test(path));
}

/** @see https://refspecs.linuxfoundation.org/FHS_3.0/fhs/ch04s09.html for what the distribution may not touch */
const placeOfDistribution = /^(?:usr\/(?!local\/)|(?:lib|lib64|bin|sbin)\/)/;

/**
 * Marks the facts that a document does not state, so that a package without them differs from one that does not have them ({@link unstatedKey}).
 * A document of one tool states a fact if it has the fact for any package of the type. Any document does if its silence proves that there is none.
 * @param silence which facts do not exist where the document does not state them
 */
export function withUnstatedFacts<Each extends DocumentPackage>(
  packages: readonly Each[],
  { isProven, hasSeveral, guessesGroups }: SilenceProof,
): readonly Each[] {
  const types = new Set(packages.map(typeOf));
  const isSure = (fact: OptionalFact, type: string) =>
    isProven(fact, type) || (fact === "group" && type === "maven" && !guessesGroups);
  const open = rules.map((rule) => ({
    ...rule,
    hasSeveral,
    concerns: (found: DocumentPackage) => rule.concerns(found, types) && !isSure(rule.fact, typeOf(found)),
  }));
  const named = isProven("group", "maven") ? packages : packages.map(withAnyGroup);
  return open.reduce(markOne, named);
}

/** The types of the packages of distributions in a document. */
export function systemsIn(packages: readonly DocumentPackage[]): readonly string[] {
  const types = new Set(packages.map(typeOf));
  return distributionTypes.filter((type) => types.has(type));
}

/** A rule about a fact that the document does not prove. */
interface OpenRule extends Omit<FactRule, "concerns">, Pick<SilenceProof, "hasSeveral"> {
  concerns(found: DocumentPackage): boolean;
}

function markOne<Each extends DocumentPackage>(
  packages: readonly Each[],
  { fact, concerns, isStated, hasSeveral }: OpenRule,
): readonly Each[] {
  const concerned = packages.filter(concerns);
  const unstated = Map.groupBy(concerned, typeOf);
  if (!hasSeveral) for (const [type, each] of unstated) if (each.some(isStated)) unstated.delete(type);
  if (unstated.size === 0) return packages;
  return packages.map((each) => {
    if (!unstated.has(typeOf(each)) || !concerns(each) || isStated(each)) return each;
    return { ...each, repositories: [...each.repositories, { name: fact, key: unstatedKey }] };
  });
}

/** The type of the package URL of a package, whatever its tool calls it; empty without one. */
export function typeOf({ purl = "" }: Pick<DocumentPackage, "purl">): string {
  const type = /^pkg:\/*([^/]+)\//i.exec(purl)?.[1]?.toLowerCase() ?? "";
  return toolPurlTypes.get(type)?.type ?? type;
}
