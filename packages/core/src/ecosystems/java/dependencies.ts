import { dependenciesByName } from "../../index/named-dependencies.ts";
import { parentOf, targetPath } from "../../layer/paths.ts";
import type { CoalescedPackage, DependencyResolver, ResolvedNeed } from "../../plugins/coalescer.ts";
import { artifactIn, exclusionsIn } from "./pom-details.ts";

/**
 * Finds what artifacts of Java need: by the dependencies in their models, by the class path in their manifests, and what an archive or an unpacked application has in
 * itself. An archive without a known group is found by its artifact.
 */
export const javaDependencies: DependencyResolver = (packages, image) => {
  const needs = packages.flatMap(({ details: { requires = [], recommends = [] } = {} }) => [
    ...requires,
    ...recommends,
  ]);
  const excluded = new Set(needs.flatMap(exclusionsIn));
  const byModel = dependenciesByName({
    namesIn: artifactsIn,
    accepts: (found, _, from) => isVisible(containerOf(found.packageDb), from.packageDb),
    fits: ({ package: { version } }, need) => need.split(/[: ]/, 3)[2] === version,
    isUncertain: (need) => isExcluded(artifactIn(need), excluded),
  })(packages, image);
  const byPlace = new Map(packages.toReversed().map((each) => [each.packageDb, each]));
  const roots = rootsOf(packages);
  const packed = Map.groupBy(packages, ({ packageDb }) => outerOf(packageDb, byPlace, roots));
  return function* needsOf(from): Iterable<ResolvedNeed> {
    yield* byModel(from);
    for (const need of (from.details?.recommends ?? []).filter(isPath)) {
      const path = targetPath(parentOf(from.packageDb), need);
      const found = byPlace.get(path) ?? byPlace.get(image.resolve(path));
      yield { need, met: found === undefined ? [] : [found], isOptional: true };
    }
    for (const each of packed.get(from) ?? []) yield { need: each.package.name, met: [each] };
  };
};

/** Whether a model excludes an artifact from what others need; a star stands for any name. */
function isExcluded(artifact: string, excluded: ReadonlySet<string>): boolean {
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
  if (isPath(need)) return [];
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
