import { atOnce, sequenceOf } from "../model/at-once.ts";
import { distributionPackageKey } from "../model/package.ts";
import type { CoalescedPackage, DependencyResolver, ImageView, ResolvedNeed } from "../plugins/coalescer.ts";
import type { Ecosystem, Runtime } from "../plugins/ecosystem.ts";
import { packageIdentity } from "./package-identity.ts";

/** The packages of one ecosystem in the finished image. */
interface FoundEcosystem {
  readonly ecosystem: Ecosystem;
  readonly packages: readonly CoalescedPackage[];
  /** Called with each error of the ecosystem. */
  readonly fail: (error: unknown) => void;
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
  for (const { ecosystem, packages, fail } of found) {
    const byRules = ownRules(ecosystem, fail, () => ecosystem.dependencies?.(packages, image));
    const runtimeOf = ecosystem.runtime && runtimeFinder(ecosystem.runtime, packagesIn("known-programs"), resolve);
    for (const each of packages)
      resolvers.set(each, function* needsOf(from) {
        yield* byRules(from);
        const runtime = attempt(fail, () => runtimeOf?.(from));
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

/** What a package needs by the rules of its ecosystem. If these fail, it is not known what it needs. */
function ownRules(
  { name }: Ecosystem,
  fail: (error: unknown) => void,
  make: () => ReturnType<DependencyResolver> | undefined,
): (from: CoalescedPackage) => readonly ResolvedNeed[] {
  const unknown: ResolvedNeed = { need: "what is not known", met: [], isUnknown: true };
  const found = attempt(fail, () => ({ rules: atOnce(make(), "dependencies", name) })) ?? { rules: () => [unknown] };
  const { rules } = found;
  if (rules === undefined) return () => [];
  return (from) => attempt(fail, () => [...sequenceOf(rules(from), `dependencies of ${name}`)]) ?? [unknown];
}

function attempt<Result>(fail: (error: unknown) => void, run: () => Result): Result | undefined {
  try {
    return run();
  } catch (error) {
    fail(error);
    return undefined;
  }
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
    const places = sequenceOf(placesFor?.(from.packageDb) ?? [], `placesFor of ${program}`);
    const there = Array.from(places, (place) => byPlace.get(place) ?? byPlace.get(resolve(place)));
    return there.find((each) => each !== undefined) ?? only;
  };
}
