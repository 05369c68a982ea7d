import { reusedJoin } from "../../bytes/concat-bytes.ts";
import { ScanError } from "../../errors.ts";
import type { FileOwners, LayerFiles, OwnedFile } from "../../plugins/detector.ts";
import { findWal, isWal, rpmDetector } from "./detector.ts";
import type { RpmPackage } from "./package.ts";
import { readRpmPackages } from "./parser.ts";

/** Which files the packages of rpm own, from the headers in the database. */
export const rpmOwners: FileOwners = {
  name: "rpm-owners",
  revision: 1,
  wants: rpmDetector.wants,
  *owners(files: LayerFiles) {
    for (const file of files) {
      if (isWal(file.path)) continue;
      const wal = findWal(files, file);
      const options = { join: reusedJoin(), ...(wal && { wal: wal.bytes }) };
      for (const item of readRpmPackages(file.parts ?? file.bytes, options)) {
        if (item.kind === "package") yield* filesOf(item.package);
      }
    }
  },
};

/** A package whose list is damaged owns nothing; the rest of the database is read. */
function filesOf(rpm: RpmPackage): readonly OwnedFile[] {
  try {
    return Array.from(rpm.files(), (path) => ({ path, owner: rpm.name }));
  } catch (error) {
    if (error instanceof ScanError) return [];
    throw error;
  }
}
