import { distributionPackageKey } from "../model/package.ts";
import type { CoalescedPackage, ImageView, ResolvedNeed } from "../plugins/coalescer.ts";
import type { Ecosystem, Runtime } from "../plugins/ecosystem.ts";
import { packageIdentity } from "./package-identity.ts";

/** The packages of one ecosystem in the finished image. */
interface FoundEcosystem {
  readonly ecosystem: Ecosystem;
  readonly packages: readonly CoalescedPackage[];
}

/**
 * Makes the function that finds what a package of any ecosystem needs: by its own rules, the program that runs it, and, of a package of the distribution, the
 * packages in its files.
 */
export function needsIn(
  found: readonly FoundEcosystem[],
  { resolve }: Pick<ImageView, "resolve">,
): (from: CoalescedPackage) => Iterable<ResolvedNeed> {
  const packagesIn = (name: string) => found.find(({ ecosystem }) => ecosystem.name === name)?.packages ?? [];
  const image = { resolve, packagesIn };
  const resolvers = new Map<CoalescedPackage, (from: CoalescedPackage) => Iterable<ResolvedNeed>>();
  const systems = found.filter(({ ecosystem }) => ecosystem.fileOwners !== undefined);
  const ofSystem = new Map(systems.flatMap(({ packages }) => packages.map((each) => [each.package.name, each])));
  const owned = Map.groupBy(
    found.flatMap(({ packages }) => packages),
    (each) => ofSystem.get(ownerNameOf(each) ?? ""),
  );
  for (const { ecosystem, packages } of found) {
    const byRules = ecosystem.dependencies?.(packages, image);
    const runtimeOf = ecosystem.runtime && runtimeFinder(ecosystem.runtime, packagesIn("known-programs"), resolve);
    for (const each of packages)
      resolvers.set(each, function* needsOf(from) {
        if (byRules !== undefined) yield* byRules(from);
        const runtime = runtimeOf?.(from);
        if (runtime === undefined) return;
        const owner = ofSystem.get(ownerNameOf(runtime) ?? "");
        yield { need: runtime.package.name, met: owner === undefined ? [runtime] : [runtime, owner] };
      });
  }
  return function* needsOf(from) {
    yield* resolvers.get(from)?.(from) ?? [];
    for (const each of owned.get(from) ?? []) yield { need: each.package.name, met: [each] };
  };
}

function ownerNameOf({ repositories }: CoalescedPackage): string | undefined {
  return repositories.find(({ key }) => key === distributionPackageKey)?.name;
}

/** Makes the function that finds the program which runs a package: the one at a place that its own place shows, or else the only one of the image. */
function runtimeFinder(
  { program, placesFor }: Runtime,
  programs: readonly CoalescedPackage[],
  resolve: ImageView["resolve"],
): (from: CoalescedPackage) => CoalescedPackage | undefined {
  const own = programs.filter((each) => each.package.name === program);
  const byPlace = new Map(own.map((each) => [each.packageDb, each]));
  const distinct = new Map(own.map((each) => [packageIdentity(each.package), each]));
  const [only] = distinct.size === 1 ? distinct.values() : [];
  return (from) => {
    const places = placesFor?.(from.packageDb) ?? [];
    const there = places.map((place) => byPlace.get(place) ?? byPlace.get(resolve(place)));
    return there.find((each) => each !== undefined) ?? only;
  };
}
