import { reusedJoin } from "../../bytes/concat-bytes.ts";
import type { DamagedPart } from "../../bytes/damaged-part.ts";
import { ScanError } from "../../errors.ts";
import type { Detector, FileEntry, LayerFile, LayerFiles } from "../../plugins/detector.ts";
import type { Finding } from "../../plugins/finding.ts";
import { type RepositoryOf, readDnfHistory } from "./dnf-history.ts";
import { type RpmPackage, toFoundPackage } from "./package.ts";
import { readRpmPackages } from "./parser.ts";
import { findThirdParty } from "./vendors.ts";

const folders = ["usr/lib/sysimage/rpm", "usr/share/rpm", "var/lib/rpm"] as const;
const databaseNames = ["Packages", "Packages.db", "rpmdb.sqlite"] as const;
const walSuffix = "-wal";
const databasePaths: ReadonlySet<string> = new Set(
  folders.flatMap((folder) => [...databaseNames, `rpmdb.sqlite${walSuffix}`].map((name) => `${folder}/${name}`)),
);

/** The histories of dnf 5 and dnf 4. */
const historyPaths = ["usr/lib/sysimage/libdnf5/transaction_history.sqlite", "var/lib/dnf/history.sqlite"] as const;
const wantedHistories: ReadonlySet<string> = new Set(historyPaths.flatMap((path) => [path, `${path}${walSuffix}`]));

/** Finds the packages that rpm has installed, and the repositories that they were installed from. */
export const rpmDetector: Detector = {
  name: "rpm-database",
  revision: 4,
  wants: ({ path }: FileEntry) => isRpmDatabase(path) || wantedHistories.has(path),
  detect: detectRpmPackages,
};

function* detectRpmPackages(files: LayerFiles): Generator<Finding> {
  const seen = new Set<string>(); // one location may be a link to another
  const origins: RepositoryOf[] = [];
  yield* readHistories(files, origins);
  for (const file of files) {
    if (seen.has(file.contentPath) || wantedHistories.has(file.path)) continue;
    seen.add(file.contentPath);
    if (!isWal(file.path)) yield* readDatabase(file, findWal(files, file), origins);
    else if (isOrphan(files, file)) yield orphanWal(file);
  }
}

/** Reads the histories of dnf into `origins`. A history that cannot be read becomes a problem. */
function* readHistories(files: LayerFiles, origins: RepositoryOf[]): Generator<Finding> {
  for (const path of historyPaths) {
    const file = files.get(path);
    if (file === undefined) continue;
    try {
      origins.push(readDnfHistory(file.bytes, findWal(files, file)?.bytes));
    } catch (error) {
      if (!(error instanceof ScanError)) throw error;
      yield { kind: "problem", path, code: error.code, message: error.message };
    }
  }
}

function* readDatabase(
  file: LayerFile,
  wal: LayerFile | undefined,
  origins: readonly RepositoryOf[],
): Generator<Finding> {
  const path = file.contentPath;
  if (wal === undefined || wal.bytes.length === 0) {
    yield { kind: "database", path };
    return yield* packagesIn(file, undefined, origins);
  }
  yield { kind: "database", path, log: wal.contentPath };
  yield* packagesIn(file, wal, origins);
  // a later layer may remove the log: then its changes never happened
  for (const finding of packagesIn(file, undefined, origins))
    if (finding.kind === "package") yield { ...finding, withoutLog: true };
}

function* packagesIn(
  file: LayerFile,
  wal: LayerFile | undefined,
  origins: readonly RepositoryOf[],
): Generator<Finding> {
  const path = file.contentPath;
  try {
    const join = reusedJoin(); // findings have only copies of a record's texts
    for (const item of readRpmPackages(file.parts ?? file.bytes, { join, ...(wal && { wal: wal.bytes }) })) {
      yield item.kind === "package" ? packageFinding(path, item.package, origins) : damageFinding(path, item);
    }
  } catch (error) {
    if (!(error instanceof ScanError)) throw error;
    yield { kind: "problem", path, code: error.code, message: error.message };
  }
}

function packageFinding(packageDb: string, rpm: RpmPackage, origins: readonly RepositoryOf[]): Finding {
  const finding = { kind: "package", packageDb, package: toFoundPackage(rpm) } as const;
  const thirdParty = findThirdParty(rpm.vendor);
  const installedFrom = firstOrigin(rpm, origins);
  return {
    ...finding,
    ...(thirdParty !== undefined && { thirdParty }),
    ...(installedFrom !== undefined && { installedFrom }),
  };
}

function firstOrigin({ name, evr, arch }: RpmPackage, origins: readonly RepositoryOf[]): string | undefined {
  for (const originOf of origins) {
    const found = originOf(name, evr, arch);
    if (found !== undefined) return found;
  }
  return undefined;
}

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

/** The write-ahead log of a database, in the same layer. */
export function findWal(files: LayerFiles, database: LayerFile): LayerFile | undefined {
  return files.get(`${database.path}${walSuffix}`) ?? files.get(`${database.contentPath}${walSuffix}`);
}

/** Whether a log has content but its database is in another layer, so that its changes cannot be read. */
function isOrphan(files: LayerFiles, wal: LayerFile): boolean {
  return wal.bytes.length > 0 && files.get(wal.path.slice(0, -walSuffix.length)) === undefined;
}

function orphanWal(wal: LayerFile): Finding {
  const message = "expected the database of this write-ahead log in the same layer, found the log only";
  return { kind: "problem", path: wal.contentPath, code: "malformed_package_db", message };
}
