import { contentOf } from "../../bytes/byte-parts.ts";
import { reusedJoin } from "../../bytes/concat-bytes.ts";
import type { DamagedPart } from "../../bytes/malformed-package-db.ts";
import { ScanError } from "../../errors.ts";
import { type PackageDetails, packageDetails } from "../../model/package-details.ts";
import type { DetectOptions, Detector, FileEntry, LayerFile, LayerFiles } from "../../plugins/detector.ts";
import type { Finding, OriginsFinding } from "../../plugins/finding.ts";
import { historyPaths, isExtra, originKey, readDnfHistory } from "./dnf-history.ts";
import { expressionOf } from "./license.ts";
import { isProgram, type RpmPackage, toFoundPackage } from "./package.ts";
import { readRpmPackages } from "./read-packages.ts";

const folders = [
  "usr/lib/sysimage/rpm",
  "usr/share/rpm",
  "var/lib/rpm",
  "usr/lib/sysimage/rpm-ostree-base-db",
] as const;
const databaseNames = ["Packages", "Packages.db", "rpmdb.sqlite"] as const;
const walSuffix = "-wal";
/** The paths of package databases and of their write-ahead logs. */
export const databasePaths: ReadonlySet<string> = new Set(
  folders.flatMap((folder) => [...databaseNames, `rpmdb.sqlite${walSuffix}`].map((name) => `${folder}/${name}`)),
);

const wantedHistories: ReadonlySet<string> = new Set(historyPaths.flatMap((path) => [path, `${path}${walSuffix}`]));

/** Finds the packages that rpm has installed, and the repositories that they were installed from. */
export const rpmDetector: Detector = {
  name: "rpm-database",
  revision: 14,
  names: { endings: [...databasePaths, ...wantedHistories, "/from_repo"] },
  wants: ({ path }: FileEntry) => isRpmDatabase(path) || wantedHistories.has(path) || yumOrigin.test(path),
  detect: detectRpmPackages,
};

function* detectRpmPackages(files: LayerFiles, { details }: DetectOptions = {}): Generator<Finding> {
  const seen = new Set<string>(); // one location may be a link to another
  for (const file of files) {
    if (yumOrigin.test(file.path)) yield* readYumOrigin(file); // hard links to each other, if they have the same content
    if (yumOrigin.test(file.path) || seen.has(file.contentPath)) continue;
    seen.add(file.contentPath);
    if (isWal(file.path)) yield* orphanIn(files, file);
    else if (wantedHistories.has(file.path)) yield* readHistory(file, findWal(files, file));
    else yield* readDatabase(file, { wal: findWal(files, file), details });
  }
}

/** yum's note of the repository of a package, in a folder `CHECKSUM-NAME-VERSION-RELEASE-ARCH`. Its epoch is not there. */
const yumOrigin = /^var\/lib\/yum\/yumdb\/[^/]\/[0-9a-f]{1,128}-([^/]+)-([^-/]+-[^-/]+)-([^-/]+)\/from_repo$/;

/** Only extras of Amazon Linux 2 matter: yum's names of other repositories are not those of dnf. */
function* readYumOrigin({ path, bytes }: LayerFile): Generator<Finding> {
  const repository = new TextDecoder().decode(bytes.subarray(0, 200)).trim();
  const [, name = "", version = "", arch] = yumOrigin.exec(path) ?? [];
  if (isExtra(repository))
    yield { kind: "origins", path, packages: { [repository]: [originKey({ name, version, arch })] } };
}

/** A history that cannot be read becomes a problem. */
function* readHistory(file: LayerFile, wal: LayerFile | undefined): Generator<Finding> {
  const { path, bytes } = file;
  try {
    const packages = readDnfHistory(bytes, wal?.bytes);
    if (wal === undefined) yield { kind: "origins", path, packages };
    else yield* historyWithLog({ kind: "origins", path, log: placeOf(wal), packages }, bytes);
  } catch (error) {
    if (!(error instanceof ScanError)) throw error;
    yield { kind: "origins", path, packages: {} }; // its tables may be in a log that another layer has
    yield { kind: "problem", path, code: error.code, message: error.message };
  }
}

/** A history, and what it has without its log, or that it cannot be read without it: its tables are only in the log. */
function* historyWithLog(found: OriginsFinding, history: Uint8Array): Generator<Finding> {
  try {
    yield { ...found, withoutLog: readDnfHistory(history) };
  } catch (error) {
    if (!(error instanceof ScanError)) throw error;
    yield found;
    yield { kind: "problem", path: found.path, code: error.code, message: error.message, withoutLog: found.log };
  }
}

interface DatabaseReading extends DetectOptions {
  readonly wal?: LayerFile;
}

function* readDatabase(file: LayerFile, { wal, details }: DatabaseReading): Generator<Finding> {
  const path = placeOf(file);
  if (wal === undefined) {
    yield { kind: "database", path };
    return yield* packagesIn(file, { details });
  }
  const log = placeOf(wal);
  yield { kind: "database", path, log };
  yield* packagesIn(file, { wal, details });
  // a later layer may remove the log: then its changes never happened
  for (const finding of packagesIn(file, { details })) {
    if (finding.kind === "package") yield { ...finding, withoutLog: true };
    else if (finding.kind === "problem") yield { ...finding, withoutLog: log };
  }
}

function* packagesIn(file: LayerFile, { wal, details = true }: DatabaseReading): Generator<Finding> {
  const path = placeOf(file);
  const needed = new Set<string>();
  try {
    const read = () => readRpmPackages(contentOf(file), { join: reusedJoin(), wal: wal?.bytes }); // findings have only copies of a record's texts
    for (const item of read()) {
      const found = details && item.kind === "package" ? detailsOf(item.package) : undefined;
      for (const need of found?.requires ?? []) if (need.startsWith("/") && !isProgram(need)) needed.add(need);
      yield item.kind === "package" ? packageFinding(path, item.package, found) : damageFinding(path, item);
    }
    if (needed.size > 0) yield* ownersOf(needed, path, read());
  } catch (error) {
    if (!(error instanceof ScanError)) throw error;
    yield { kind: "problem", path, code: error.code, message: error.message };
  }
}

/** The packages that own files which others need by their paths, and that do not say that they provide them. */
function* ownersOf(
  paths: ReadonlySet<string>,
  path: string,
  items: ReturnType<typeof readRpmPackages>,
): Generator<Finding> {
  for (const item of items) {
    if (item.kind !== "package") continue;
    const provides = item.package.owned(paths);
    if (provides.length > 0) yield { kind: "details", path, of: item.package.name, details: { provides } };
  }
}

function packageFinding(packageDb: string, rpm: RpmPackage, details: PackageDetails | undefined): Finding {
  return { kind: "package", packageDb, package: toFoundPackage(rpm), details, maker: rpm.vendor };
}

function detailsOf(rpm: RpmPackage): PackageDetails | undefined {
  const { vendor, packager, url, summary, license = "" } = rpm;
  const { requires, recommends, provides, programs } = rpm.needs();
  return packageDetails({
    licenses: [{ text: license, expression: expressionOf(license) }],
    supplier: vendor ?? packager,
    originator: packager,
    homepage: url,
    description: summary,
    requires: requires?.filter((need) => !ofRpm.test(need)),
    recommends,
    provides: [...programs, ...provides], // of a kernel, the end of the list may be cut
  });
}

/** Needs that rpm itself meets. */
const ofRpm = /^(?:rpmlib|config)\(/;

function damageFinding(path: string, { at, code, message }: DamagedPart): Finding {
  return { kind: "problem", path, code, message: `${at}: ${message}` };
}

/** Whether a path is that of a package database or of its write-ahead log. */
export function isRpmDatabase(path: string): boolean {
  return databasePaths.has(path);
}

/** Whether a wanted path is that of a write-ahead log. */
export function isWal(path: string): boolean {
  return path.endsWith(walSuffix);
}

/** The write-ahead log of a database, in the same layer. An empty one has no changes. */
export function findWal(files: LayerFiles, database: LayerFile): LayerFile | undefined {
  const wal = files.get(`${database.path}${walSuffix}`) ?? files.get(`${database.contentPath}${walSuffix}`);
  return wal === undefined || wal.bytes.length === 0 ? undefined : wal;
}

/** A log that has content, with its database in another layer: the engine reads the two together. */
function* orphanIn(files: LayerFiles, wal: LayerFile): Generator<Finding> {
  const database = wal.path.slice(0, -walSuffix.length);
  if (wal.bytes.length === 0 || files.get(database) !== undefined) return;
  yield { kind: "log", path: placeOf(wal), of: database };
}

/** The path that has to be in the finished image: of a symbolic link its target. A hard link is a file of its own, which stays where its target is deleted. */
export function placeOf({ path, contentPath, info }: LayerFile): string {
  return info?.kind === "hard-link" ? path : contentPath;
}
