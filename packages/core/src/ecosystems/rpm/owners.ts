import { contentOf } from "../../bytes/byte-parts.ts";
import { reusedJoin } from "../../bytes/concat-bytes.ts";
import { ScanError } from "../../errors.ts";
import type { FileLists, FileOwners, LayerFile, LayerFiles, OwnedFiles } from "../../plugins/detector.ts";
import { distinctFiles } from "../linux/distinct-files.ts";
import { databasePaths, findWal, isRpmDatabase, isWal, placeOf } from "./detector.ts";
import type { RpmPackage } from "./package.ts";
import { readRpmPackages } from "./read-packages.ts";

/** Lists the files that packages of rpm own, from the headers in the database. */
export const rpmOwners: FileOwners = {
  name: "rpm-owners",
  revision: 4,
  names: { endings: [...databasePaths] },
  wants: ({ path }) => isRpmDatabase(path),
  *owners(files: LayerFiles) {
    for (const file of distinctFiles(files)) if (!isWal(file.path)) yield* ownedIn(files, file);
  },
};

/** The files of packages of rpm with their digests, from the headers in the database. */
export const rpmFileLists: FileLists = {
  name: "rpm-file-lists",
  revision: 1,
  names: { endings: [...databasePaths] },
  wants: ({ path }) => isRpmDatabase(path),
  *lists(files) {
    for (const file of distinctFiles(files)) {
      if (isWal(file.path)) continue;
      const wal = findWal(files, file);
      for (const rpm of packagesIn(file, wal)) {
        const { name: owner, evr: version, arch } = rpm;
        const listedIn = placeOf(wal ?? file);
        const place = { listedIn, databaseIn: placeOf(file), owner, version, arch };
        yield { ...place, files: soundList(() => [...rpm.files()]), digests: soundList(() => rpm.digests()) };
      }
    }
  },
};

/** The files that the database lists alone, and those that it lists with its log, as long as that is there. */
function* ownedIn(files: LayerFiles, database: LayerFile): Iterable<OwnedFiles> {
  yield* listedBy(database);
  const log = findWal(files, database);
  if (log !== undefined) yield* listedBy(database, log);
}

/** A damaged database ends here, so that another one in the layer is read too. `rpmDetector` reports the damage. */
function* listedBy(database: LayerFile, log?: LayerFile): Iterable<OwnedFiles> {
  const listedIn = placeOf(log ?? database);
  for (const rpm of packagesIn(database, log))
    yield { paths: soundList(() => [...rpm.files()]), owner: rpm.name, listedIn };
}

function* packagesIn(database: LayerFile, log: LayerFile | undefined): Iterable<RpmPackage> {
  const options = { join: reusedJoin(), wal: log?.bytes };
  try {
    for (const item of readRpmPackages(contentOf(database), options)) {
      if (item.kind === "package") yield item.package;
    }
  } catch (error) {
    if (!(error instanceof ScanError)) throw error;
  }
}

/** A list of a package. A package whose list is damaged owns nothing; the rest of the database is read. */
function soundList(read: () => readonly string[]): readonly string[] {
  try {
    return read();
  } catch (error) {
    if (error instanceof ScanError) return [];
    throw error;
  }
}
