import { dependenciesByName } from "../../index/named-dependencies.ts";
import { parentOf, targetPath } from "../../layer/paths.ts";
import type { CoalescedPackage, DependencyResolver, ResolvedNeed } from "../../plugins/coalescer.ts";
import { artifactIn, exclusionsIn, hasUnknownParent, unknownParent } from "./pom-details.ts";

/**
 * Finds what artifacts of Java need: by the dependencies in their models, by the class path in their manifests, and what an archive or an unpacked application has in
 * itself. An archive without a known group is found by its artifact.
 */
export const javaDependencies: DependencyResolver = (packages, image) => {
  const byModel = dependenciesByName({
    namesIn: artifactsIn,
    accepts: (found, _, from) => isVisible(containerOf(found.packageDb), from.packageDb),
    fits: ({ package: { version } }, need) => need.split(/[: ]/, 3)[2] === version,
    mayBeElsewhere: (need, { details: { recommends = [] } = {} }) => recommends.includes(need),
  })(packages, image);
  const isExcluded = exclusionsAmong(packages, byModel);
  const byPlace = new Map(packages.toReversed().map((each) => [each.packageDb, each]));
  const roots = rootsOf(packages);
  const packed = Map.groupBy(packages, ({ packageDb }) => outerOf(packageDb, byPlace, roots));
  return function* needsOf(from): Iterable<ResolvedNeed> {
    for (const each of byModel(from)) {
      const isLeftOut = each.met.length === 0 && isExcluded(each.need, from);
      yield isLeftOut ? { ...each, isOptional: true, isUnknown: undefined } : each;
    }
    if (hasUnknownParent(from)) yield { need: unknownParent, met: [], isUnknown: true };
    for (const need of (from.details?.recommends ?? []).filter(isPath)) {
      const path = targetPath(parentOf(from.packageDb), need);
      const found = byPlace.get(path) ?? byPlace.get(image.resolve(path));
      yield { need, met: found === undefined ? [] : [found], isOptional: true };
    }
    for (const each of packed.get(from) ?? []) yield { need: each.package.name, met: [each] };
  };
};

type NeedsOf = (from: CoalescedPackage) => Iterable<ResolvedNeed>;

/** Of more artifacts that are excluded somewhere and missing, it is not looked for the ways to those that need them. */
const maxExcluded = 256;

/**
 * Makes the function that tells whether an artifact is excluded on all ways to a package that needs it: a model excludes it from what one other needs, and from all that this needs in turn.
 * @see https://maven.apache.org/guides/introduction/introduction-to-optional-and-excludes-dependencies.html
 */
function exclusionsAmong(
  packages: readonly CoalescedPackage[],
  needsOf: NeedsOf,
): (need: string, from: CoalescedPackage) => boolean {
  const statedBy = ({ details: { requires = [], recommends = [] } = {} }: CoalescedPackage) => [
    ...requires,
    ...recommends,
  ];
  const anywhere = new Set(packages.flatMap((each) => statedBy(each).flatMap(exclusionsIn)));
  if (anywhere.size === 0) return () => false;
  let edges: ReadonlyMap<CoalescedPackage, readonly Edge[]> | undefined;
  const reached = new Map<string, ReadonlySet<CoalescedPackage>>();
  return (need, from) => {
    const artifact = artifactIn(need);
    if (!isExcludedBy(artifact, anywhere)) return false;
    edges ??= new Map(packages.map((each) => [each, edgesOf(needsOf(each))]));
    const known = reached.get(artifact);
    if (known === undefined && reached.size >= maxExcluded) return false;
    const others = known ?? reachedWith(artifact, packages, edges);
    reached.set(artifact, others);
    return !others.has(from);
  };
}

interface Edge {
  readonly to: CoalescedPackage;
  readonly excluded: ReadonlySet<string>;
}

function edgesOf(needs: Iterable<ResolvedNeed>): readonly Edge[] {
  return [...needs].flatMap(({ need, met }) => met.map((to) => ({ to, excluded: new Set(exclusionsIn(need)) })));
}

/** The packages that are reached on a way on which nothing excludes an artifact: from those that no other needs, and from all of a circle that none of these needs. */
function reachedWith(
  artifact: string,
  packages: readonly CoalescedPackage[],
  edges: ReadonlyMap<CoalescedPackage, readonly Edge[]>,
): ReadonlySet<CoalescedPackage> {
  const all = [...edges.values()].flat();
  const needed = new Set(all.map(({ to }) => to));
  const roots = packages.filter((each) => !needed.has(each));
  const reach = (from: readonly CoalescedPackage[], passes: (edge: Edge) => boolean) => {
    const found = new Set(from);
    for (const each of found) for (const edge of edges.get(each) ?? []) if (passes(edge)) found.add(edge.to);
    return found;
  };
  const connected = reach(roots, () => true);
  const inCircles = packages.filter((each) => !connected.has(each));
  return reach([...roots, ...inCircles], ({ excluded }) => !isExcludedBy(artifact, excluded));
}

/** Whether exclusions are about an artifact; a star stands for any name. */
function isExcludedBy(artifact: string, excluded: ReadonlySet<string>): boolean {
  if (excluded.size === 0) return false;
  const [group = "", name = ""] = artifact.split(":", 2);
  return [artifact, `${group}:*`, `*:${name}`, "*:*"].some((each) => excluded.has(each));
}

const innerArchive = /^(.*):[^:]*\.(?:[ejrsw]ar|zip)$/i;
const ofApplication = /^(.*?)\/(?:BOOT-INF|WEB-INF)\/lib\/[^/]+$/;

/** What has an archive for itself: the archive around it, or an unpacked application; empty for one on a class path. A description is in its archive. */
function containerOf(packageDb: string): string {
  const last = packageDb.slice(packageDb.lastIndexOf(":") + 1);
  const isDescription = last !== packageDb && !/\.(?:[ejrsw]ar|zip)$/i.test(last);
  const place = isDescription ? packageDb.slice(0, -last.length - 1) : packageDb;
  return innerArchive.exec(place)?.[1] ?? ofApplication.exec(place)?.[1] ?? "";
}

function isVisible(container: string, from: string): boolean {
  if (container === "" || !from.startsWith(container)) return container === "";
  return ["", ":", "/"].includes(from.charAt(container.length));
}

function artifactsIn(need: string): readonly string[] {
  if (isPath(need) || need === unknownParent) return [];
  const name = artifactIn(need);
  return [name, name.slice(name.indexOf(":") + 1)];
}

/** An archive of a class path; coordinates have colons. */
function isPath(need: string): boolean {
  return !need.includes(":");
}

type Places = ReadonlyMap<string, CoalescedPackage>;

/** The package around a place: `app.war` of `app.war:WEB-INF/lib/a.jar`, and the unpacked application around `app/WEB-INF/lib/a.jar`. */
function outerOf(place: string, byPlace: Places, roots: Places): CoalescedPackage | undefined {
  for (let end = place.lastIndexOf(":"); end > 0; end = place.lastIndexOf(":", end - 1)) {
    const outer = byPlace.get(place.slice(0, end));
    if (outer !== undefined) return outer;
  }
  const [, root] = /^(.*?)(?:BOOT-INF|WEB-INF)\/lib\/[^/]+$/.exec(place) ?? [];
  return root === undefined ? undefined : roots.get(root);
}

const unpacked = /^([^:]*?)META-INF\/maven\/[^/]+\/[^/]+\/pom\.(?:properties|xml)$/;

/** The unpacked applications by their folders: those of which one description is there. */
function rootsOf(packages: readonly CoalescedPackage[]): Places {
  const described = packages.filter(({ packageDb }) => unpacked.test(packageDb));
  const byRoot = Map.groupBy(described, ({ packageDb }) => unpacked.exec(packageDb)?.[1] ?? "");
  return new Map(
    [...byRoot].flatMap(([root, [only, ...others]]) => (only && others.length === 0 ? [[root, only]] : [])),
  );
}
