import { wholeOf } from "../../bytes/byte-parts.ts";
import type { FileDetector, FileEntry, LayerFile, LockFileEntry } from "../../plugins/detector.ts";
import type { Finding } from "../../plugins/finding.ts";
import { isOfDependency } from "./package-folders.ts";
import { type Proof, provenPackage } from "./proof.ts";

/** One package in a lock file. */
export interface LockedPackage extends LockFileEntry, Pick<Proof, "qualifiers"> {
  /** Whether the package comes from a repository of source code, and no registry has it in this version. Default: false. */
  readonly isUnpublished?: boolean;
}

/** The reader of one kind of lock files. */
export interface LockFile {
  /** The name of the detector. */
  readonly name: string;
  readonly revision?: number;
  /** Whether a file is of this kind, by its name without folders. */
  isNamed(file: string): boolean;
  /** Pure. @throws ScanError `malformed_package_db` */
  read(file: LayerFile): Iterable<LockedPackage>;
}

/** The largest lock file that is read. Those of large projects have about ten megabytes. */
export const maxLockFileBytes = 64 * 1024 ** 2;

/** The detector of one kind of lock files. A package that is listed twice counts once; it is for development only if both entries are. */
export function lockFileDetector({ name, revision = 1, isNamed, read }: LockFile): FileDetector {
  return {
    name,
    revision,
    ignoresArchives: true,
    wants: ({ path }: FileEntry) => isNamed(path.slice(path.lastIndexOf("/") + 1)) && !isOfDependency(path),
    lists(file) {
      wholeOf(file, maxLockFileBytes);
      return read(file);
    },
    *detect(file: LayerFile): Iterable<Finding> {
      wholeOf(file, maxLockFileBytes);
      const found = new Map<string, LockedPackage>();
      for (const { isUnpublished = false, isOptional: _, ...locked } of read(file)) {
        if (isUnpublished) continue;
        const key = `${locked.name}\0${locked.version}`;
        if (found.get(key)?.isDevelopment !== false)
          found.set(key, { ...locked, isDevelopment: locked.isDevelopment ?? false });
      }
      for (const { isDevelopment, ...proof } of found.values()) {
        yield provenPackage(file, isDevelopment === true ? { ...proof, development: true } : proof);
      }
    },
  };
}
