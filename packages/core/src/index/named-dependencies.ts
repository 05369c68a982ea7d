import { parentOf } from "../layer/paths.ts";
import type { CoalescedPackage, DependencyResolver, ResolvedNeed } from "../plugins/coalescer.ts";

/** How one packaging system names what packages need. */
export interface NamingRules {
  /**
   * The names that meet a need, the preferred first. None if the need is not one of this image: that of another system, or of a part that was not chosen. Default:
   * the need itself.
   */
  namesIn?(need: string, from: CoalescedPackage): readonly string[];
  /** Whether it is not known if a package needs what it states. Default: false. */
  isUncertain?(need: string, from: CoalescedPackage): boolean;
  /** The names by which others need a package. Default: its own. */
  namesOf?(found: CoalescedPackage): Iterable<string>;
}

/**
 * Finds what packages need by names. Of several packages of a name, one of the same database counts, or in the nearest folder; then one for the same
 * architecture.
 * @example
 * const dependencies = dependenciesByName({ namesIn: (need) => need.split(" ", 1) });
 */
export function dependenciesByName({
  namesIn = (need) => [need],
  isUncertain = () => false,
  namesOf = ({ package: { name } }) => [name],
}: NamingRules): DependencyResolver {
  return (packages) => {
    const byName = new Map<string, CoalescedPackage[]>();
    for (const found of packages) {
      for (const name of new Set(namesOf(found))) {
        const others = byName.get(name);
        if (others === undefined) byName.set(name, [found]);
        else others.push(found);
      }
    }
    const meet = (names: readonly string[], from: CoalescedPackage) => {
      for (const name of names) {
        const found = byName.get(name);
        if (found !== undefined) return [nearest(found, from, name)];
      }
      return [];
    };
    return function* needsOf(from): Iterable<ResolvedNeed> {
      const { requires = [], recommends = [] } = from.details ?? {};
      for (const [index, need] of [...requires, ...recommends].entries()) {
        const names = namesIn(need, from);
        const met = meet(names, from);
        const isOptional = index >= requires.length || isUncertain(need, from) ? true : undefined;
        if (names.length > 0) yield { need, met, isOptional };
      }
    };
  };
}

function nearest(found: readonly CoalescedPackage[], from: CoalescedPackage, name: string): CoalescedPackage {
  const [first, ...others] = found as readonly [CoalescedPackage, ...CoalescedPackage[]];
  if (others.length === 0) return first;
  const rank = (each: CoalescedPackage) =>
    4 * commonFolders(each.packageDb, from.packageDb) +
    (each.package.name === name ? 2 : 0) +
    (each.package.arch === from.package.arch ? 1 : 0);
  return others.reduce((best, each) => (rank(each) > rank(best) ? each : best), first);
}

/** The number of folders above both paths; more than any number for the same file. */
function commonFolders(a: string, b: string): number {
  if (a === b) return 1000;
  const [one, other] = [parentOf(a).split("/"), parentOf(b).split("/")];
  const end = one.findIndex((folder, index) => folder !== other[index]);
  return end < 0 ? one.length : end;
}
