import {
  candidateKey,
  developmentScope,
  distributionPackageKey,
  linkedPartsKey,
  mainModuleKey,
  namePatternKey,
  otherIdentityKey,
  type PackageRepository,
  scopeKey,
  unstatedKey,
} from "../model/package.ts";
import { qualifiersEntry } from "../model/purl-qualifiers.ts";
import type { CoalescedPackage, Coalescer, EcosystemLayer, FileOwner, ImageView } from "../plugins/coalescer.ts";
import type { PackageFinding } from "../plugins/finding.ts";
import { applicationTest } from "./installed-applications.ts";
import { fileOf } from "./owned-files.ts";
import { packageIdentity } from "./package-identity.ts";

/**
 * Coalesces packages that are found in single files (`package.json`, a jar): those whose file is unchanged in the finished
 * image. A package whose file is owned by a package of the distribution also gets the distribution. The owner is found by the lists of the
 * finished image, which may be of other layers than the file.
 * @param repository identifies the language to matchers; a finding may have its own instead
 * @example
 * const coalescer = coalesceFiles();
 */
export function coalesceFiles(repository?: Omit<PackageRepository, "id">): Coalescer {
  return function* coalesce(layers, image): Iterable<CoalescedPackage> {
    const isInstalled = applicationTest(layers, image);
    const ownerOf = ownerFinder(layers, image);
    for (const [index, { digest, findings }] of layers.entries()) {
      for (const finding of findings) {
        if (finding.kind !== "package" || !image.survives(fileOf(finding), index)) continue;
        if (finding.dependenciesIn !== undefined && !isInstalled(finding)) continue;
        const named = finding.repository ?? repository;
        const own = named === undefined ? [] : [named];
        const { packageDb, details } = finding;
        const found = { package: finding.package, packageDb, details, introducedIn: digest };
        const owner = ownerOf(finding, index);
        const ofFinding = [...own, ...marksOf(finding)];
        const distribution = owner === undefined ? undefined : image.distributionAt(index, owner.root);
        if (owner === undefined || distribution === undefined) yield { ...found, repositories: ofFinding };
        else yield { ...found, distribution, repositories: [...ofFinding, ...ownerMarks(owner)] };
      }
    }
  };
}

/**
 * Finds the owner of a package's file. A file that a layer above the list replaced by one with another package is not of the owner:
 * `pip install --upgrade` and the like do not tell the package manager.
 */
function ownerFinder(layers: readonly EcosystemLayer[], image: ImageView) {
  const copiesOf = copyFinder(layers);
  return (finding: PackageFinding, index: number): FileOwner | undefined => {
    const path = fileOf(finding);
    const owner = image.ownerOf(path);
    if (owner === undefined || owner.listedAt.includes(index)) return owner;
    const listedBelow = owner.listedAt.findLast((layer) => layer < index);
    if (listedBelow === undefined) return owner;
    const installed = copiesOf(path).findLast((copy) => copy.index <= listedBelow);
    return installed === undefined || installed.identities.has(packageIdentity(finding.package)) ? owner : undefined;
  };
}

/** What one layer has at the path of a file. */
interface FileCopy {
  readonly index: number;
  readonly identities: Set<string>;
}

/** Makes the function that lists the packages found at a path by layer, base first. */
function copyFinder(layers: readonly EcosystemLayer[]): (path: string) => readonly FileCopy[] {
  let copies: Map<string, FileCopy[]> | undefined;
  return (path) => {
    copies ??= copiesIn(layers);
    return copies.get(path) ?? [];
  };
}

function copiesIn(layers: readonly EcosystemLayer[]): Map<string, FileCopy[]> {
  const copies = new Map<string, FileCopy[]>();
  for (const [index, { findings }] of layers.entries()) {
    for (const finding of findings) {
      if (finding.kind !== "package") continue;
      const ofPath = copies.get(fileOf(finding)) ?? [];
      copies.set(fileOf(finding), ofPath);
      if (ofPath.at(-1)?.index !== index) ofPath.push({ index, identities: new Set() });
      ofPath.at(-1)?.identities.add(packageIdentity(finding.package));
    }
  }
  return copies;
}

function marksOf({
  development: isForDevelopment,
  linkedParts,
  mainModule,
  candidates = [],
  namePatterns = [],
  otherIdentities = [],
  qualifiers = {},
}: PackageFinding): readonly Omit<PackageRepository, "id">[] {
  const scope = isForDevelopment === true ? [development] : [];
  const parts = linkedParts === undefined ? [] : [{ name: linkedParts.join(" "), key: linkedPartsKey }];
  const main = mainModule === undefined ? [] : [{ name: mainModule, key: mainModuleKey }];
  const guesses = candidates.map((name) => ({ name, key: candidateKey }));
  const patterns = namePatterns.map((name) => ({ name, key: namePatternKey }));
  const others = otherIdentities.map((name) => ({ name, key: otherIdentityKey }));
  return [...scope, ...parts, ...main, ...guesses, ...patterns, ...others, ...qualifiersEntry(qualifiers)];
}

const development = { name: developmentScope, key: scopeKey };

function ownerMarks({ name, mayBeOfOthers }: FileOwner): readonly Omit<PackageRepository, "id">[] {
  const owner = { name, key: distributionPackageKey };
  return mayBeOfOthers === true ? [owner, { name: "maker", key: unstatedKey }] : [owner];
}
