import type { LayerContents } from "../layer/layer-contents.ts";
import { foldersAbove } from "../layer/paths.ts";
import { sequenceOf } from "../model/at-once.ts";
import type { ListedFile } from "../model/index-report.ts";
import type { CoalescedPackage, ImageView } from "../plugins/coalescer.ts";
import type { FileLists, ListedFiles } from "../plugins/detector.ts";
import type { Ecosystem } from "../plugins/ecosystem.ts";
import type { FilesFinding, Finding } from "../plugins/finding.ts";
import { filesFor } from "./files-for.ts";
import type { LayerFindings } from "./layer-findings.ts";
import { spellings } from "./owned-files.ts";

/** The most files of the lists of one layer; of further ones a problem says that they are left out. */
const maxFiles = 500_000;
/** The same for the characters of their paths and digests. */
const maxCharacters = 96 * 1024 ** 2;

/** The files of packages by the lists in a layer, by the names of their readers. They do not count among the findings of a layer, of which there are far fewer. */
export function listedFiles(
  contents: LayerContents,
  readers: readonly FileLists[],
): Readonly<Record<string, readonly Finding[]>> {
  const found: Record<string, readonly Finding[]> = {};
  const left = { files: maxFiles, characters: maxCharacters };
  for (const reader of readers) {
    const ofReader = [...listedBy(reader, contents, left)];
    if (ofReader.length > 0) found[reader.name] = ofReader;
  }
  return found;
}

interface Room {
  files: number;
  characters: number;
}

function* listedBy(reader: FileLists, contents: LayerContents, left: Room): Iterable<Finding> {
  const files = filesFor(reader, contents);
  if (files.size === 0) return;
  try {
    for (const list of sequenceOf(reader.lists(files), `lists of ${reader.name}`)) {
      left.files -= list.files.length;
      left.characters -= [...list.files, ...(list.digests ?? [])].reduce((sum, text) => sum + text.length, 0);
      if (left.files < 0 || left.characters < 0) {
        const message = `more than ${maxFiles} files of packages, or ${maxCharacters} characters of their names: the others are left out`;
        yield { kind: "problem", path: list.listedIn, code: "files_left_out", message };
        return;
      }
      yield findingOf(withoutFolders(list));
    }
  } catch {
    // the detector of the same database reports the problem
  }
}

/** Some systems list folders, too, which may be links in the image: one of which another path is below is a folder. */
function withoutFolders(list: ListedFiles): ListedFiles {
  const folders = new Set(list.files.flatMap((path) => [...foldersAbove(path)]));
  const isFile = (path: string) => !folders.has(path);
  if (list.files.every(isFile)) return list;
  const digests = list.digests?.filter((_, at) => isFile(list.files[at] ?? ""));
  return { ...list, files: list.files.filter(isFile), digests };
}

function findingOf({ listedIn, owner, version, arch, databaseIn, files, digests }: ListedFiles): FilesFinding {
  return { kind: "files", path: listedIn, owner, version, arch, databaseIn, files, digests };
}

/** The packages of an ecosystem in the finished image. */
interface FoundPackages {
  readonly ecosystem: Pick<Ecosystem, "fileLists">;
  readonly packages: readonly CoalescedPackage[];
}

/**
 * Makes the function that gives the files of a package: those of its lists in the finished image that are in it. The digest of a file that a layer above the one
 * that added the package has changed is not known.
 */
export function filesIn(
  found: readonly FoundPackages[],
  layers: readonly (LayerFindings | undefined)[],
  { survives }: Pick<ImageView, "survives">,
): (found: CoalescedPackage) => readonly ListedFile[] {
  const placeOf = placeFinder(layers, survives);
  const digests = layers.map((layer) => layer?.digest);
  const byPackage = new Map<CoalescedPackage, Map<string, ListedFile>>();
  for (const { ecosystem, packages } of found) {
    const packagesOf = ownersAmong(packages);
    for (const list of listsOf(ecosystem, layers, survives)) {
      const owners = packagesOf(list);
      if (owners.length === 0) continue;
      const added = owners.map(({ introducedIn }) => digests.lastIndexOf(introducedIn));
      for (const [at, written] of list.files.entries()) {
        const place = placeOf(written);
        const layer = place && digests[place.layer];
        if (place === undefined || layer === undefined) continue;
        for (const [index, owner] of owners.entries()) {
          const known = byPackage.get(owner) ?? new Map<string, ListedFile>();
          byPackage.set(owner, known);
          const stated = place.layer <= (added[index] ?? 0) ? list.digests?.[at] : "";
          const digest = stated || known.get(place.path)?.digest;
          known.set(place.path, { path: place.path, digest, layer });
        }
      }
    }
  }
  return (each) => [...(byPackage.get(each)?.values() ?? [])];
}

function ownersAmong(packages: readonly CoalescedPackage[]): (list: FilesFinding) => readonly CoalescedPackage[] {
  const byName = Map.groupBy(packages, (each) => each.package.name);
  const byPlace = Map.groupBy(packages, ({ packageDb }) => packageDb.slice(0, packageDb.lastIndexOf("/") + 1));
  return ({ owner, version, arch, databaseIn = "" }) => {
    const named = owner === undefined ? byPlace.get(databaseIn) : byName.get(owner);
    return (named ?? []).filter(
      ({ package: found, packageDb }) =>
        packageDb.startsWith(databaseIn) &&
        (version === undefined || found.version === version) &&
        (arch === undefined || found.arch === arch),
    );
  };
}

function* listsOf(
  { fileLists = [] }: FoundPackages["ecosystem"],
  layers: readonly (LayerFindings | undefined)[],
  survives: ImageView["survives"],
): Iterable<FilesFinding> {
  for (const [index, layer] of layers.entries()) {
    for (const { name } of fileLists) {
      for (const each of layer?.findings[name] ?? [])
        if (each.kind === "files" && survives(each.path, index)) yield each;
    }
  }
}

/** Makes the function that finds a file in the finished image: its path there, and the layer that has it; undefined for folders, and files that are not there. */
function placeFinder(layers: readonly (LayerFindings | undefined)[], survives: ImageView["survives"]) {
  return (written: string): { readonly path: string; readonly layer: number } | undefined => {
    for (const path of spellings(written)) {
      const layer = layers.findLastIndex((each) => each?.shape.leaves.has(path) === true);
      if (layer >= 0 && survives(path, layer)) return { path, layer };
    }
    return undefined;
  };
}
