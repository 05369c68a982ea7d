import type { LayerContents } from "../layer/layer-contents.ts";
import { atOnce } from "../model/at-once.ts";
import type { FileOwner, ImageView } from "../plugins/coalescer.ts";
import type { FileDetector, FileEntry, FileOwners } from "../plugins/detector.ts";
import type { Finding, OwnedFinding, PackageFinding } from "../plugins/finding.ts";
import { filesFor } from "./files-for.ts";
import type { LayerFindings } from "./layer-findings.ts";

/** Findings by the names of detectors. */
type Findings = Readonly<Record<string, readonly Finding[]>>;

interface OwnersOptions {
  readonly fileOwners: readonly FileOwners[];
  readonly fileDetectors: readonly Pick<FileDetector, "programs" | "wants">[];
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

function ownedBy(
  reader: FileOwners,
  contents: LayerContents,
  mayMatter: (path: string) => boolean,
): readonly OwnedFinding[] {
  const byList = new Map<string, Map<string, string>>();
  try {
    const files = filesFor(reader, contents);
    if (files.size === 0) return [];
    for (const { path, owner, listedIn } of atOnce(reader.owners(files), `owners of ${reader.name}`)) {
      const owners = byList.get(listedIn) ?? new Map<string, string>();
      if (owners.size === 0) byList.set(listedIn, owners);
      if (owners.has(path)) owners.set(path, owner);
      else if (mayMatter(path)) owners.set(ownText(path), owner);
    }
  } catch {
    // the detector of the same database reports the problem; a package without an owner is matched on its own
  }
  return [...byList].flatMap(([path, owners]) => findingsOfList(path, owners));
}

/** Of several owners of a file in one list, the last counts: a database may list millions of files, but few that matter. */
function findingsOfList(path: string, owners: ReadonlyMap<string, string>): readonly OwnedFinding[] {
  const byOwner = new Map<string, string[]>();
  for (const [file, owner] of owners) {
    const files = byOwner.get(owner);
    if (files === undefined) byOwner.set(owner, [file]);
    else files.push(file);
  }
  return [...byOwner].map(([owner, files]) => ({ kind: "owned", path, owner, files }));
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

/** A file of the layer itself in which no package was found does not matter: a copy of it in a layer above has none either. */
function ownershipTest(
  { shape }: LayerContents,
  { fileDetectors, inspected }: OwnersOptions,
): (path: string) => boolean {
  const found = new Set(Object.values(inspected).flatMap((findings) => findings.flatMap(spellingsOf)));
  const readsPrograms = fileDetectors.some((detector) => detector.programs !== undefined);
  return (path) => {
    if (found.has(path)) return true;
    const paths = spellings(path);
    if (texts.test(path) || paths.some((each) => shape.leaves.has(each))) return false;
    if (fileDetectors.some((detector) => isWanted(detector, path))) return true;
    const isProgram = readsPrograms && (withoutPrograms.test(path) ? programFolders : programs).test(path);
    return isProgram && !paths.some((each) => shape.folders.has(each));
  };
}

function spellingsOf(finding: Finding): readonly string[] {
  return finding.kind === "package" ? spellings(fileOf(finding)) : [];
}

function isWanted({ wants }: Pick<FileDetector, "wants">, path: string): boolean {
  const info: FileEntry = { path, kind: "file", sizeBytes: 1, mode: 0o755 };
  try {
    return wants(info);
  } catch {
    return false; // the file itself reports it
  }
}

/**
 * Makes the function that finds the owner of a file in the finished image. Of several lists the last by path counts. A third-party
 * package is no owner, since the distribution has no advisories for its content.
 */
export function fileOwnersOf(
  layers: readonly (LayerFindings | undefined)[],
  { survives }: Pick<ImageView, "survives">,
): ImageView["ownerOf"] {
  let owners: ReadonlyMap<string, FileOwner> | undefined;
  return (path) => {
    owners ??= findOwners(layers, survives);
    return owners.get(mergedPath(path));
  };
}

function findOwners(
  layers: readonly (LayerFindings | undefined)[],
  survives: ImageView["survives"],
): ReadonlyMap<string, FileOwner> {
  const claims = claimsIn(layers);
  const thirdParties = thirdPartiesIn(layers, survives);
  const owners = new Map<string, FileOwner>();
  for (const [path, ofFile] of claims) {
    const claim = ofFile.filter(({ list, layer }) => survives(list, layer)).reduce(lastByList, undefined);
    if (claim === undefined || thirdParties.has(claim.owner)) continue;
    const ofOwner = ofFile.filter(({ owner, layer }) => owner === claim.owner && layer <= claim.layer);
    owners.set(path, { name: claim.owner, listedAt: ofOwner.map(({ layer }) => layer) });
  }
  return owners;
}

/** The statement of one list that a package owns a file. */
interface Claim {
  readonly owner: string;
  readonly list: string;
  readonly layer: number;
}

/** The choice between two claims does not depend on layers, so that the image has the same owners however it was built. */
function lastByList(known: Claim | undefined, claim: Claim): Claim {
  return known !== undefined && known.list > claim.list ? known : claim;
}

/** The claims to each file, base first. */
function claimsIn(layers: readonly (LayerFindings | undefined)[]): ReadonlyMap<string, readonly Claim[]> {
  const claims = new Map<string, Claim[]>();
  for (const [layer, owned] of findingsOf(layers, "owned")) {
    const claim = { owner: owned.owner, list: owned.path, layer };
    for (const file of owned.files) {
      const path = mergedPath(file);
      const known = claims.get(path);
      if (known === undefined) claims.set(path, [claim]);
      else known.push(claim);
    }
  }
  return claims;
}

/** The names of packages of the finished image that are known not to be of the distribution. */
function thirdPartiesIn(layers: readonly (LayerFindings | undefined)[], survives: ImageView["survives"]) {
  const names = new Set<string>();
  for (const [layer, found] of findingsOf(layers, "package")) {
    if (found.thirdParty !== undefined && survives(fileOf(found), layer)) names.add(found.package.name);
  }
  return names;
}

function* findingsOf<Kind extends Finding["kind"]>(
  layers: readonly (LayerFindings | undefined)[],
  kind: Kind,
): Iterable<readonly [layer: number, finding: Extract<Finding, { kind: Kind }>]> {
  for (const [index, layer] of layers.entries()) {
    for (const found of Object.values(layer?.findings ?? {})) {
      for (const finding of found) {
        if (finding.kind === kind) yield [index, finding as Extract<Finding, { kind: Kind }>];
      }
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
function spellings(path: string): readonly string[] {
  const merged = mergedPath(path);
  if (merged !== path) return [path, merged];
  return mergedFolders.test(path) ? [path, `usr/${path}`] : [path];
}
