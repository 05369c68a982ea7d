import {
  candidateKey,
  developmentScope,
  distributionPackageKey,
  linkedPartsKey,
  type PackageRepository,
  scopeKey,
} from "../model/package.ts";
import type { CoalescedPackage, Coalescer, EcosystemLayer, ImageView } from "../plugins/coalescer.ts";
import type { PackageFinding } from "../plugins/finding.ts";
import { fileOf } from "./add-owners.ts";

/**
 * Coalesces packages that are found in single files (`package.json`, a jar): those whose file is unchanged in the finished
 * image. A package whose file is owned by a package of the distribution also gets the distribution.
 * @param repository identifies the language to matchers; a finding may have its own instead
 * @example
 * const coalescer = coalesceFiles();
 */
export function coalesceFiles(repository?: Omit<PackageRepository, "id">): Coalescer {
  return function* coalesce(layers, image): Iterable<CoalescedPackage> {
    const hasDependencies = dependencyTest(layers, image);
    for (const [index, { digest, findings }] of layers.entries()) {
      for (const finding of findings) {
        if (finding.kind !== "package" || !image.survives(fileOf(finding), index)) continue;
        if (finding.dependenciesIn !== undefined && !hasDependencies(finding.dependenciesIn)) continue;
        const named = finding.repository ?? repository;
        const own = named === undefined ? [] : [named];
        const found = { package: finding.package, packageDb: finding.packageDb, introducedIn: digest };
        const distribution = finding.ownedBy === undefined ? undefined : image.distributionAt(index);
        const ofFinding = [...own, ...marksOf(finding)];
        if (distribution === undefined) yield { ...found, repositories: ofFinding };
        else yield { ...found, distribution, repositories: [...ofFinding, ownerOf(finding)] };
      }
    }
  };
}

/** Tests whether packages are installed in a folder of the finished image. */
function dependencyTest(layers: readonly EcosystemLayer[], image: ImageView): (folder: string) => boolean {
  const found = layers.map(({ findings }) => findings.filter((each) => each.kind === "package"));
  const wanted = new Set(found.flat().flatMap(({ dependenciesIn }) => dependenciesIn ?? []));
  if (wanted.size === 0) return () => false;
  const used = new Set<string>();
  for (const [index, packages] of found.entries()) {
    for (const finding of packages) {
      if (finding.dependenciesIn !== undefined || !image.survives(fileOf(finding), index)) continue;
      for (const folder of foldersOf(fileOf(finding))) if (wanted.has(folder)) used.add(folder);
    }
  }
  return (folder) => used.has(folder);
}

/** `a` and `a/b` of `a/b/c`. */
function* foldersOf(path: string): Iterable<string> {
  for (let at = path.indexOf("/"); at >= 0; at = path.indexOf("/", at + 1)) yield path.slice(0, at);
}

function marksOf({
  development: isForDevelopment,
  linkedParts,
  candidates = [],
}: PackageFinding): readonly Omit<PackageRepository, "id">[] {
  const scope = isForDevelopment === true ? [development] : [];
  const parts = linkedParts === undefined ? [] : [{ name: linkedParts.join(" "), key: linkedPartsKey }];
  return [...scope, ...parts, ...candidates.map((name) => ({ name, key: candidateKey }))];
}

const development = { name: developmentScope, key: scopeKey };

function ownerOf({ ownedBy = "" }: PackageFinding): Omit<PackageRepository, "id"> {
  return { name: ownedBy, key: distributionPackageKey };
}
