import { reusedJoin } from "../../bytes/concat-bytes.ts";
import type { DamagedPart } from "../../bytes/damaged-part.ts";
import { ScanError } from "../../errors.ts";
import type { Detector, FileInfo, Finding, LayerFile, LayerFiles } from "../../plugins.ts";
import { type RpmPackage, toFoundPackage } from "./package.ts";
import { readRpmPackages } from "./parser.ts";
import { findThirdParty } from "./vendors.ts";

const folders = ["usr/lib/sysimage/rpm", "usr/share/rpm", "var/lib/rpm"] as const;
const databaseNames = ["Packages", "Packages.db", "rpmdb.sqlite"] as const;
const walSuffix = "-wal";
const wantedPaths: ReadonlySet<string> = new Set(
  folders.flatMap((folder) => [...databaseNames, `rpmdb.sqlite${walSuffix}`].map((name) => `${folder}/${name}`)),
);

/** Finds what rpm has installed. */
export const rpmDetector: Detector = {
  name: "rpm-database",
  revision: 2,
  wants: (file: FileInfo) => wantedPaths.has(file.path),
  detect: detectRpmPackages,
};

function* detectRpmPackages(files: LayerFiles): Generator<Finding> {
  const seen = new Set<string>(); // one location may be a link to another
  for (const file of files) {
    if (seen.has(file.contentPath)) continue;
    seen.add(file.contentPath);
    if (!isWal(file.path)) yield* readDatabase(file, findWal(files, file));
    else if (isOrphan(files, file)) yield orphanWal(file);
  }
}

function* readDatabase(file: LayerFile, wal: LayerFile | undefined): Generator<Finding> {
  const path = file.contentPath;
  yield { kind: "database", path };
  try {
    const join = reusedJoin(); // of a package nothing is kept but what is copied from its record
    for (const item of readRpmPackages(file.parts ?? file.bytes, { join, ...(wal && { wal: wal.bytes }) })) {
      yield item.kind === "package" ? packageFinding(path, item.package) : damageFinding(path, item);
    }
  } catch (error) {
    if (!(error instanceof ScanError)) throw error;
    yield { kind: "problem", path, code: error.code, message: error.message };
  }
}

function packageFinding(packageDb: string, rpm: RpmPackage): Finding {
  const finding = { kind: "package", packageDb, package: toFoundPackage(rpm) } as const;
  const thirdParty = findThirdParty(rpm.vendor);
  return thirdParty === undefined ? finding : { ...finding, thirdParty };
}

function damageFinding(path: string, { at, code, message }: DamagedPart): Finding {
  return { kind: "problem", path, code, message: `${at}: ${message}` };
}

/** Whether a wanted path is that of a write-ahead log. */
export function isWal(path: string): boolean {
  return path.endsWith(walSuffix);
}

/** The write-ahead log of a database, in the same layer. */
export function findWal(files: LayerFiles, database: LayerFile): LayerFile | undefined {
  return files.get(`${database.path}${walSuffix}`) ?? files.get(`${database.contentPath}${walSuffix}`);
}

/** A log with content whose database is in another layer: what it changes cannot be told. */
function isOrphan(files: LayerFiles, wal: LayerFile): boolean {
  return wal.bytes.length > 0 && files.get(wal.path.slice(0, -walSuffix.length)) === undefined;
}

function orphanWal(wal: LayerFile): Finding {
  const message = "expected the database of this write-ahead log in the same layer, found the log only";
  return { kind: "problem", path: wal.contentPath, code: "malformed_package_db", message };
}
