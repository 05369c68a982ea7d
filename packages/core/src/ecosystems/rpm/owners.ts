import { reusedJoin } from "../../bytes/concat-bytes.ts";
import { ScanError } from "../../errors.ts";
import type { FileOwners, LayerFile, LayerFiles, OwnedFiles } from "../../plugins/detector.ts";
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

/** The files that the database lists alone, and those that it lists with its log, as long as that is there. */
function* ownedIn(files: LayerFiles, database: LayerFile): Iterable<OwnedFiles> {
  yield* listedBy(database);
  const log = findWal(files, database);
  if (log !== undefined) yield* listedBy(database, log);
}

/** A damaged database ends here, so that another one in the layer is read too. `rpmDetector` reports the damage. */
function* listedBy(database: LayerFile, log?: LayerFile): Iterable<OwnedFiles> {
  const listedIn = placeOf(log ?? database);
  const options = { join: reusedJoin(), wal: log?.bytes };
  try {
    for (const item of readRpmPackages(database.parts ?? database.bytes, options)) {
      if (item.kind === "package") yield { paths: filesOf(item.package), owner: item.package.name, listedIn };
    }
  } catch (error) {
    if (!(error instanceof ScanError)) throw error;
  }
}

/** The files of a package. A package whose list is damaged owns nothing; the rest of the database is read. */
function filesOf(rpm: RpmPackage): readonly string[] {
  try {
    return [...rpm.files()];
  } catch (error) {
    if (error instanceof ScanError) return [];
    throw error;
  }
}
