import { foldersAbove, parentOf } from "../layer/paths.ts";
import type { CoalescedPackage, DependencyResolver, ResolvedNeed } from "../plugins/coalescer.ts";

/** How packages of one packaging system find others by their names. */
export interface FindingRules {
  /** The names by which others need a package. Default: its own. */
  namesOf?(found: CoalescedPackage): Iterable<string>;
  /** Whether a package can use another: it cannot use that of another project or environment, or one of a version that does not meet the need. Default: true. */
  accepts?(found: CoalescedPackage, need: string, from: CoalescedPackage): boolean;
  /** Whether a package is as the other needs it, such as of its version. Of those that are equally near, one that is counts first. Default: true. */
  fits?(found: CoalescedPackage, need: string, from: CoalescedPackage): boolean;
  /** Which of two packages counts first for a need, wherever they are; below 0 for the first. Default: neither. */
  prefers?(one: CoalescedPackage, other: CoalescedPackage, need: string): number;
}

/** Accepts only what the same file lists: a project or program has all that it needs there. */
export const inSameFile: FindingRules["accepts"] = (found, _need, from) => found.packageDb === from.packageDb;

/** How one packaging system names what packages need. */
export interface NamingRules extends FindingRules {
  /**
   * The names that meet a need, the preferred first. None if the need is not one of this image: that of another system, or of a part that was not chosen. Default:
   * the need itself.
   */
  namesIn?(need: string, from: CoalescedPackage): readonly string[];
  /** Whether it is not known if a package needs what it states. Default: false. */
  isUncertain?(need: string, from: CoalescedPackage): boolean;
  /** Whether something that is no package of the image may meet a need. Default: false. */
  mayBeElsewhere?(need: string, from: CoalescedPackage): boolean;
}

/** A name that a package needs, and the whole need. */
export interface NamedNeed {
  readonly name: string;
  readonly need: string;
  readonly from: CoalescedPackage;
  /** Whether a package of the name is one of those that are meant. Default: true. */
  readonly isMeant?: (found: CoalescedPackage) => boolean;
}

/**
 * Finds what packages need by names. Of several packages of a name, the preferred one counts, then one of the same database, or in the nearest folder; then one of
 * the version that is needed, and one for the same architecture.
 * @example
 * const dependencies = dependenciesByName({ namesIn: (need) => need.split(" ", 1) });
 */
export function dependenciesByName({
  namesIn = (need) => [need],
  isUncertain = () => false,
  mayBeElsewhere = () => false,
  ...rules
}: NamingRules): DependencyResolver {
  return (packages) => {
    const find = packageFinder(packages, rules);
    const { fits = () => true } = rules;
    const meet = (names: readonly string[], need: string, from: CoalescedPackage) => {
      const found = names.map((name) => find({ name, need, from })).filter((each) => each !== undefined);
      return found.length > 1 ? (found.find((each) => fits(each, need, from)) ?? found[0]) : found[0];
    };
    return needsBy((need, from) => {
      const names = namesIn(need, from);
      if (names.length === 0) return undefined;
      const met = meet(names, need, from);
      if (met !== undefined) return { met: [met], isUncertain: isUncertain(need, from) };
      return { met: [], isUncertain: isUncertain(need, from), isUnknown: mayBeElsewhere(need, from) };
    });
  };
}

/** What meets a need. */
interface MetNeed {
  readonly met: readonly CoalescedPackage[];
  readonly isUncertain?: boolean;
  readonly isUnknown?: boolean;
}

/** Makes the function that finds what a package needs, of one that finds what meets a need; undefined for what is none of this image. */
export function needsBy(
  meet: (need: string, from: CoalescedPackage) => MetNeed | undefined,
): (from: CoalescedPackage) => Iterable<ResolvedNeed> {
  return function* needsOf(from) {
    const { requires = [], recommends = [] } = from.details ?? {};
    for (const [index, need] of [...requires, ...recommends].entries()) {
      const found = meet(need, from);
      if (found === undefined) continue;
      const isOptional = index >= requires.length || found.isUncertain === true ? true : undefined;
      yield { need, met: found.met, isOptional, isUnknown: found.isUnknown || undefined };
    }
  };
}

/** Makes the function that finds the package of a name that another one uses. */
export function packageFinder(
  packages: readonly CoalescedPackage[],
  { namesOf = ({ package: { name } }) => [name], accepts, fits = () => true, prefers }: FindingRules,
): (named: NamedNeed) => CoalescedPackage | undefined {
  const byName = new Map<string, CoalescedPackage[]>();
  for (const found of packages) {
    for (const name of new Set(namesOf(found))) {
      const others = byName.get(name);
      if (others === undefined) byName.set(name, [found]);
      else others.push(found);
    }
  }
  const rankFor = ({ name, need, from }: NamedNeed, each: CoalescedPackage) =>
    8 * commonFolders(each.packageDb, from.packageDb) +
    (fits(each, need, from) ? 4 : 0) +
    (each.package.name === name ? 2 : 0) +
    (each.package.arch === from.package.arch ? 1 : 0);
  const near = nearFinder();
  let looks = 0;
  return (named) => {
    const { name, need, from, isMeant = () => true } = named;
    const all = byName.get(name) ?? [];
    const accepted = (each: CoalescedPackage) => isMeant(each) && (accepts === undefined || accepts(each, need, from));
    const isBetter = (each: CoalescedPackage, best: CoalescedPackage) =>
      (prefers?.(each, best, need) || rankFor(named, best) - rankFor(named, each)) < 0;
    const choose = (candidates: readonly CoalescedPackage[]) => {
      const isLong = candidates.length > fewPackages;
      if (isLong) looks += candidates.length;
      if (isLong && looks > maxLooks) return undefined;
      const [first, ...others] = candidates.filter(accepted);
      return first && others.reduce((best, each) => (isBetter(each, best) ? each : best), first);
    };
    if (all.length <= fewPackages || prefers !== undefined) return choose(all);
    for (const candidates of near(name, all, from)) {
      const found = choose(candidates);
      if (found !== undefined) return found;
    }
    return choose(all);
  };
}

/** Lists of more packages of one name are searched by their folders. */
const fewPackages = 16;
/** No image of packages that can run has so many of equal names; what is then not looked at is not met. */
const maxLooks = 300_000;
/** The folders above a package that are searched. */
const maxFolders = 4;

/** Makes a function that finds the packages of a name that are near another: those in its own folder, then those in each of the folders above. */
function nearFinder() {
  const byFolder = new Map<string, Map<string, CoalescedPackage[]>>();
  const foldersOf = ({ packageDb }: CoalescedPackage) => [
    packageDb,
    ...Iterator.from(foldersAbove(packageDb)).take(maxFolders),
  ];
  const indexed = (name: string, all: readonly CoalescedPackage[]) => {
    const known = byFolder.get(name) ?? new Map<string, CoalescedPackage[]>();
    if (byFolder.has(name)) return known;
    byFolder.set(name, known);
    for (const each of all) {
      for (const folder of foldersOf(each)) {
        const others = known.get(folder);
        if (others === undefined) known.set(folder, [each]);
        else others.push(each);
      }
    }
    return known;
  };
  return (name: string, all: readonly CoalescedPackage[], from: CoalescedPackage) =>
    foldersOf(from).map((folder) => indexed(name, all).get(folder) ?? []);
}

/** The number of folders above both paths; more than any number for the same file. */
function commonFolders(a: string, b: string): number {
  if (a === b) return 1000;
  const [one, other] = [parentOf(a).split("/"), parentOf(b).split("/")];
  const end = one.findIndex((folder, index) => folder !== other[index]);
  return end < 0 ? one.length : end;
}
