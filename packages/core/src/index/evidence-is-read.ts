import { lockedName } from "../ecosystems/language/locked-packages.ts";
import type { EvidenceRules } from "../evidence/evidence-rules.ts";
import { wantsFile } from "../layer/readers-through.ts";
import { atOnce } from "../model/at-once.ts";
import type { UnassessedKind } from "../model/index-report.ts";
import type { CoalescedPackage } from "../plugins/coalescer.ts";
import type { FileDetector, FileEntry } from "../plugins/detector.ts";
import type { Ecosystem, InstalledLock, LockInstallation } from "../plugins/ecosystem.ts";
import type { EvidencePackage } from "../plugins/evidence.ts";
import type { ProjectFiles, StatedNeeds } from "./project-files.ts";

/** An ecosystem with its packages in the finished image. */
export interface FoundEcosystem {
  readonly ecosystem: Ecosystem;
  readonly packages: readonly CoalescedPackage[];
}

/** More than this part of the packages of a lock file have to be found that does not say of each whether it is installed: some are for other platforms. */
const sufficientPart = 0.5;
/**
 * How many of the packages that are kept of a lock file, an eighth of those of a large one, have to be below its folder if neither it nor the project says which
 * are for development: those may be the most. Where the project states nothing for development, there are none.
 */
const sufficientBelow = 8;

/**
 * A test whether detectors have read the packages that a path is evidence of. A lock file lists packages that may be installed. It counts as read
 * if those that it lists are found anywhere: some package managers install into one folder for all projects. All have to be found if it says which of
 * them are for development or other platforms; else all that the project states that it needs, and more than half, and not in the folder of another system. One that cannot be read into a list
 * counts as read if packages of its ecosystem are installed below its folder. Where it does not tell what is for development, the file in which the
 * project states its needs does.
 */
export function evidenceIsRead(
  found: readonly FoundEcosystem[],
  { locked, needs }: ProjectFiles,
  rules: EvidenceRules,
): (kind: UnassessedKind, path: string) => boolean {
  const places = found.map((each) => ({ ...each.ecosystem, ...installedBy(each) }));
  return (kind, path) =>
    places.some(({ assesses = [], fileDetectors, pathDetectors = [], isBelow, areInstalled, isInstalled }) => {
      if (!assesses.includes(kind)) return false;
      if (fileDetectors === undefined) return true;
      const named = rules.packageOf(kind, path);
      if (named !== undefined) return isInstalled(named);
      const isLockFile = rules.lockFileKind(path) !== undefined;
      const isWatched = rules.findWatched(path).some((rule) => rule.kind === kind);
      if (isWatched && !isLockFile) return isBelow(`${path}:`); // an archive, if a detector opens it for another reason
      const folder = folderOfPackage(rules, kind, path);
      if (folder !== undefined) return isBelow(folder);
      const listed = locked.get(rules.listOf(path)) ?? locked.get(path);
      const lock = listed && { ...listed, kind, needs: needs.get(path) };
      if (isLockFile && (lock === undefined ? isBelow(folderOf(path)) : areInstalled(lock))) return true;
      if (pathDetectors.some(({ packages }) => packages === kind) && !isLockFile) return true;
      const readers = isLockFile ? fileDetectors.filter(({ lists }) => lists !== undefined) : fileDetectors;
      return readers.some((detector) => isRead(detector, { rules, kind, path }));
    });
}

/** A lock file with what its project needs, if a file beside it says so. */
interface Lock extends InstalledLock {
  readonly needs: StatedNeeds | undefined;
}

/** Tests of where and which packages of an ecosystem are installed; both look at the packages only when they are needed. */
function installedBy({ ecosystem: { installation = {} }, packages }: FoundEcosystem) {
  const { installers = noNames } = installation;
  const isPlace = (...args: Parameters<IsPlace>) => isSo(() => installation.isPlace?.(...args) ?? true);
  const isMadeFrom = (lock: Lock) => isSo(() => installation.isMadeFrom?.(lock, packages) ?? false);
  let names: ReadonlyMap<string, readonly string[]> | undefined;
  return {
    isBelow: (folder: string) =>
      packages.some(({ packageDb }) => packageDb.startsWith(folder) && !(folder === "" && ofSystem.test(packageDb))),
    isInstalled: (found: EvidencePackage) => {
      names ??= placesByName(packages);
      return names.has(lockedName(found));
    },
    areInstalled: (lock: Lock) => {
      const { path, packages: listed, marksDevelopment, isExact } = lock;
      names ??= placesByName(packages);
      const known = names;
      const found = listed.filter(
        (name) => known.has(name) || (isExact === true && installers.has(name.slice(0, name.lastIndexOf("@")))),
      );
      if (found.length === listed.length) return true;
      if (isExact === true || lacksNeed(lock, known)) return false;
      const isOfProject = (place: string) => place.startsWith(folderOf(path)) || !ofOtherSystem.test(place);
      const there = listed.map((name) => (known.get(name) ?? []).filter(isOfProject)).filter((each) => each.length > 0);
      if (there.length > sufficientPart * listed.length) return true;
      if (lock.needs?.isAllForUse === true) return false;
      if (isMadeFrom(lock)) return true;
      if (marksDevelopment === true) return false;
      const below = there.filter((places) => places.some((place) => place.startsWith(folderOf(path))));
      return below.length >= sufficientBelow || hasWhatItNeeds(lock, names, isPlace);
    },
  };
}

const noNames: ReadonlySet<string> = new Set();

type IsPlace = NonNullable<LockInstallation["isPlace"]>;

/** An answer of a plug-in. What it cannot tell is not so: then the lock file is not read. */
function isSo(ask: () => boolean): boolean {
  try {
    return atOnce(ask(), "installation");
  } catch {
    return false;
  }
}

/** Packages of another system that is in a folder of the image: `rootfs/usr/lib/python3/…`. */
const ofOtherSystem = /^.+\/usr\/(?:local\/)?lib(?:64)?\/(?:python|node_modules|ruby)/;

/**
 * Whether something that the project needs, and that the lock file lists, is installed nowhere: then what is there is of another project, or was installed only in
 * part. Of a list that is not kept as a whole, the name alone counts.
 */
function lacksNeed({ packages, needs, isWhole }: Lock, names: ReadonlyMap<string, readonly string[]>): boolean {
  return (needs?.names ?? []).some((name) => {
    const versions = versionsOf(name, packages);
    if (versions.length === 0) return isWhole !== true && !names.has(lockedName({ name, version: "" }));
    return !versions.some((each) => names.has(each));
  });
}

function versionsOf(name: string, listed: readonly string[]): readonly string[] {
  const anyVersion = lockedName({ name, version: "" });
  return listed.filter((each) => each.startsWith(anyVersion));
}

/**
 * Whether everything that the project needs is installed, in the version of the lock file where that is kept. What these packages need is then installed too.
 */
function hasWhatItNeeds(
  { path, packages, needs }: Lock,
  names: ReadonlyMap<string, readonly string[]>,
  isPlace: IsPlace,
): boolean {
  const folder = folderOf(path);
  if (needs?.isAll !== true) return false;
  return needs.names.every((name) => {
    const versions = versionsOf(name, packages);
    const places = (versions.length > 0 ? versions : [lockedName({ name, version: "" })]).flatMap(
      (each) => names.get(each) ?? [],
    );
    return places.some((place) => isPlace(place, folder));
  });
}

/** The files of packages by name and version, and by name alone for lists that do not have the version. */
function placesByName(packages: readonly CoalescedPackage[]): ReadonlyMap<string, readonly string[]> {
  const places = new Map<string, string[]>();
  for (const { package: found, packageDb } of packages) {
    for (const name of new Set([lockedName(found), lockedName({ ...found, version: "" })])) {
      const known = places.get(name);
      if (known === undefined) places.set(name, [packageDb]);
      else known.push(packageDb);
    }
  }
  return places;
}

/** Where package managers themselves are installed, in images whose project is in the root. */
const ofSystem = /^(?:opt|usr)\//;

/** The folder of the package that a path is evidence of, if the package counts as read where it is found below that folder. */
function folderOfPackage({ folders }: EvidenceRules, kind: UnassessedKind, path: string): string | undefined {
  return folders.find((each) => each.isReadBelow === true && each.kind === kind)?.folderOf(path);
}

/** `app/` of `app/yarn.lock`; empty for the root. */
function folderOf(path: string): string {
  return path.slice(0, path.lastIndexOf("/") + 1);
}

interface Shown {
  readonly rules: EvidenceRules;
  readonly kind: UnassessedKind;
  readonly path: string;
}

function isRead(detector: FileDetector, { rules, kind, path }: Shown): boolean {
  const { programs } = detector;
  const info: FileEntry = { path, kind: "file", sizeBytes: 1, mode: 0o755 };
  const isMarked = programs !== undefined && rules.kindOf(programs) === kind && rules.find(path) === undefined;
  return isMarked || wantsFile(detector, info);
}
