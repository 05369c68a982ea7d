import type { LayerContents } from "../layer/layer-contents.ts";
import { wantsFile } from "../layer/readers-through.ts";
import { sequenceOf } from "../model/at-once.ts";
import type { UnassessedKind } from "../model/index-report.ts";
import { thirdPartyKey } from "../model/package.ts";
import type { CoalescedPackage, FileOwner, ImageView } from "../plugins/coalescer.ts";
import type { FileDetector, FileEntry, FileOwners } from "../plugins/detector.ts";
import type { Ecosystem } from "../plugins/ecosystem.ts";
import type { Finding, OwnedFinding, PackageFinding } from "../plugins/finding.ts";
import { pluginsByName } from "../plugins/plugins-by-name.ts";
import { filesFor } from "./files-for.ts";
import type { LayerFindings } from "./layer-findings.ts";

/** Findings by the names of detectors. */
type Findings = Readonly<Record<string, readonly Finding[]>>;

interface OwnersOptions {
  readonly fileOwners: readonly FileOwners[];
  readonly fileDetectors: readonly Pick<FileDetector, "name" | "names" | "programs" | "wants">[];
  /** What the file detectors found in the layer. */
  readonly inspected: Findings;
}

/**
 * The files that packages of the operating system own by the lists in a layer: those in which packages were found in the layer, and those of
 * other layers in which file detectors look. The lists name every file of the system, so the others are left out.
 */
export function ownedFiles(contents: LayerContents, options: OwnersOptions): Findings {
  const mayMatter = ownershipTest(contents, options);
  const found: Record<string, readonly OwnedFinding[]> = {};
  for (const reader of options.fileOwners) {
    const owned = ownedBy(reader, contents, mayMatter);
    if (owned.length > 0) found[reader.name] = owned;
  }
  return found;
}

/** The owners of files by one list. */
interface List extends Pick<OwnedFinding, "databaseIn"> {
  readonly owners: Map<string, string>;
}

function ownedBy(
  reader: FileOwners,
  contents: LayerContents,
  mayMatter: (path: string) => boolean,
): readonly OwnedFinding[] {
  const byList = new Map<string, List>();
  try {
    const files = filesFor(reader, contents);
    if (files.size === 0) return [];
    for (const { paths, owner, listedIn, databaseIn } of sequenceOf(reader.owners(files), `owners of ${reader.name}`)) {
      const list = byList.get(listedIn) ?? { databaseIn, owners: new Map() };
      byList.set(listedIn, list);
      for (const path of paths.filter(mayMatter)) list.owners.set(ownText(path), owner);
    }
  } catch {
    // the detector of the same database reports the problem; a package without an owner is matched on its own
  }
  return [...byList].flatMap(([path, list]) => findingsOfList(path, list));
}

/** Of several owners of a file in one list, the last counts: a database may list millions of files, but few that matter. */
function findingsOfList(path: string, { owners, ...place }: List): readonly OwnedFinding[] {
  const byOwner = new Map<string, string[]>();
  for (const [file, owner] of owners) {
    const files = byOwner.get(owner);
    if (files === undefined) byOwner.set(owner, [file]);
    else files.push(file);
  }
  return [...byOwner].map(([owner, files]) => ({ kind: "owned", path, owner, ...place, files }));
}

/** A copy of a part of a long text, so that the text is not kept in memory. */
function ownText(text: string): string {
  return ` ${text}`.slice(1);
}

/** Folders in which no packages are looked for: most of the paths that lists name. */
const texts = /^usr\/share\/(?:doc|help|info|locale|man|zoneinfo)\//;
/** Folders whose files are no programs, unless they are in a folder for programs. */
const withoutPrograms = /^(?:etc|usr\/(?:include|share)|var)\//;
/** Files in folders for programs, shared libraries, and files without an extension. */
const programs = /(?:^|\/)(?:s?bin|libexec)\/|\.so(?:\.|$)|(?:^|\/)[^./]+$/;
const programFolders = /(?:^|\/)(?:s?bin|libexec)\//;

function mayBeProgram(path: string): boolean {
  return (withoutPrograms.test(path) ? programFolders : programs).test(path);
}

/**
 * A file of the layer itself in which no package was found, nor evidence of one, does not matter: a copy of it in a layer above has none either. Lists have tens of
 * thousands of paths, so the cheap tests, which nearly all fail, come first.
 */
function ownershipTest(
  { shape }: LayerContents,
  { fileDetectors, inspected }: OwnersOptions,
): (path: string) => boolean {
  const found = new Set(Object.values(inspected).flatMap((findings) => findings.flatMap(spellingsOf)));
  const detectorsFor = pluginsByName(fileDetectors);
  const readsPrograms = fileDetectors.some((detector) => detector.programs !== undefined);
  return (path) => {
    if (found.has(path)) return true;
    if (texts.test(path)) return false;
    const info: FileEntry = { path, kind: "file", sizeBytes: 1, mode: 0o755 };
    const wanted = detectorsFor(path).some((detector) => wantsFile(detector, info));
    if (!wanted && !(readsPrograms && mayBeProgram(path))) return false;
    const paths = spellings(path);
    if (paths.some((each) => shape.leaves.has(each))) return false;
    return wanted || !paths.some((each) => shape.folders.has(each));
  };
}

function spellingsOf(finding: Finding): readonly string[] {
  if (finding.kind === "evidence" && finding.unlessOwned === true) return spellings(finding.path);
  return finding.kind === "package" ? spellings(fileOf(finding)) : [];
}

/** A packaging system of the operating system, with its packages in the finished image. */
export interface FoundSystem {
  readonly ecosystem: Pick<Ecosystem, "fileOwners">;
  /** Databases that the package manager does not use. */
  readonly unused: ReadonlyMap<string, UnassessedKind | undefined>;
  readonly packages: readonly CoalescedPackage[];
}

interface OwnersInImage extends Pick<ImageView, "distributionAt" | "survives"> {
  readonly systems: readonly FoundSystem[];
}

/**
 * Makes the function that finds the owner of a file in the finished image: a package that a database of the image lists as installed. A list
 * may outlive its package. Of several lists the last by path counts. A package of a third party or of another distribution than the image's is no owner,
 * since the distribution has no advisories for its content.
 */
export function fileOwnersOf(
  layers: readonly (LayerFindings | undefined)[],
  { survives, distributionAt, systems }: OwnersInImage,
): ImageView["ownerOf"] {
  let owners: ReadonlyMap<string, FileOwner> | undefined;
  return (path) => {
    owners ??= findOwners(claimsIn(layers, { systems, distributionAt }), survives);
    return owners.get(mergedPath(path));
  };
}

function findOwners(
  claims: ReadonlyMap<string, readonly Claim[]>,
  survives: ImageView["survives"],
): ReadonlyMap<string, FileOwner> {
  const owners = new Map<string, FileOwner>();
  for (const [path, ofFile] of claims) {
    const claim = ofFile.filter(({ list, layer }) => survives(list, layer)).reduce(lastByList, undefined);
    if (claim === undefined || claim.isThirdParty) continue;
    const ofOwner = ofFile.filter(({ owner, layer }) => owner === claim.owner && layer <= claim.layer);
    const { owner: name, root, mayBeOfOthers } = claim;
    owners.set(path, { name, root, listedAt: ofOwner.map(({ layer }) => layer), mayBeOfOthers });
  }
  return owners;
}

/** The statement of one list that a package owns a file. */
interface Claim extends Pick<FileOwner, "mayBeOfOthers" | "root"> {
  readonly owner: string;
  readonly list: string;
  readonly layer: number;
  /** Whether the owner is known not to be of the distribution. */
  readonly isThirdParty: boolean;
}

/** The choice between two claims does not depend on layers, so that the image has the same owners however it was built. */
function lastByList(known: Claim | undefined, claim: Claim): Claim {
  return known !== undefined && known.list > claim.list ? known : claim;
}

/** The claims to each file by packages that are installed in the finished image, base first. */
function claimsIn(
  layers: readonly (LayerFindings | undefined)[],
  { systems, distributionAt }: Pick<OwnersInImage, "distributionAt" | "systems">,
): ReadonlyMap<string, readonly Claim[]> {
  const claims = new Map<string, Claim[]>();
  for (const system of systems) {
    const installed = installedIn(system);
    for (const [layer, owned] of listsOf(system, layers)) {
      const found = installed(owned);
      if (found.length === 0) continue;
      const isReleased = distributionAt(layer) !== undefined;
      const isOther = found.every(
        (each) => !isInRoot(owned.path, each.root) || (isReleased && each.distribution === undefined),
      );
      const isThirdParty = isOther || found.some(isOfThirdParty);
      const mayBeOfOthers = found.find((each) => each.mayBeOfOthers)?.mayBeOfOthers;
      const { root } = found[0] ?? {};
      const claim = { owner: owned.owner, root, list: owned.path, layer, isThirdParty, mayBeOfOthers };
      for (const path of owned.files.map(mergedPath)) {
        const known = claims.get(path);
        if (known === undefined) claims.set(path, [claim]);
        else known.push(claim);
      }
    }
  }
  return claims;
}

/** Whether a list is of the system of a package: in its folder, if it is not the root of the image. */
function isInRoot(list: string, root: string | undefined): boolean {
  return root === undefined || list.startsWith(`${root}/`);
}

/** Makes the function that finds the packages of the finished image which a list may be of. */
function installedIn({ packages, unused }: FoundSystem): (list: OwnedFinding) => readonly CoalescedPackage[] {
  const byName = Map.groupBy(packages, (each) => each.package.name);
  return ({ path, owner, databaseIn = "" }) =>
    unused.has(path) ? [] : (byName.get(owner) ?? []).filter(({ packageDb }) => packageDb.startsWith(databaseIn));
}

function isOfThirdParty({ repositories }: CoalescedPackage): boolean {
  return repositories.some(({ key }) => key === thirdPartyKey);
}

/** What the lists of a system in each layer say, base first. */
function* listsOf(
  { ecosystem: { fileOwners = [] } }: FoundSystem,
  layers: readonly (LayerFindings | undefined)[],
): Iterable<readonly [layer: number, finding: OwnedFinding]> {
  for (const [index, layer] of layers.entries()) {
    for (const { name } of fileOwners) {
      for (const finding of layer?.findings[name] ?? []) if (finding.kind === "owned") yield [index, finding];
    }
  }
}

/** The file in which a package was found. */
export function fileOf({ file, packageDb }: PackageFinding): string {
  return file ?? packageDb;
}

const mergedFolders = /^(?:lib(?:32|64|x32|exec)?|s?bin)\//;

/** `/lib` and `/usr/lib` are one folder on most systems, and databases use either name. */
function mergedPath(path: string): string {
  if (!path.startsWith("usr/")) return path;
  const rest = path.slice(4);
  return mergedFolders.test(rest) ? rest : path;
}

/** The paths that a file of such a folder may have: with `usr/` and without; of another file its own only. */
export function spellings(path: string): readonly string[] {
  const merged = mergedPath(path);
  if (merged !== path) return [path, merged];
  return mergedFolders.test(path) ? [path, `usr/${path}`] : [path];
}
