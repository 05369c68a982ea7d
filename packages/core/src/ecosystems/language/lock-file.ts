import { malformedPackageDb } from "../../bytes/malformed-package-db.ts";
import { isOfDependency } from "../../evidence/file-evidence.ts";
import type { FileDetector, FileEntry, LayerFile } from "../../plugins/detector.ts";
import type { Finding } from "../../plugins/finding.ts";
import { provenPackage } from "./proof.ts";

/** What a lock file says of one package. */
export interface LockedPackage {
  readonly name: string;
  readonly version: string;
  /** Whether the project needs it to be developed only. */
  readonly isDevelopment?: boolean;
}

/** How one kind of lock files is read. */
export interface LockFile {
  /** Of the detector. */
  readonly name: string;
  readonly revision?: number;
  /** Whether a file is one, by its name without folders. */
  isNamed(file: string): boolean;
  /** Pure. @throws ScanError `malformed_package_db` */
  read(file: LayerFile): Iterable<LockedPackage>;
}

/** Lock files of large projects have some ten megabytes. */
export const maxLockFileBytes = 64 * 1024 ** 2;

/** The detector of one kind of lock files. A package that is listed twice counts once, and is for development only where it is so each time. */
export function lockFileDetector({ name, revision = 1, isNamed, read }: LockFile): FileDetector {
  return {
    name,
    revision,
    wants: ({ path }: FileEntry) => isNamed(path.slice(path.lastIndexOf("/") + 1)) && !isOfDependency(path),
    *detect(file: LayerFile): Iterable<Finding> {
      if (file.bytes.length > maxLockFileBytes) {
        throw malformedPackageDb(`expected at most ${maxLockFileBytes} bytes, found ${file.bytes.length}`);
      }
      const found = new Map<string, LockedPackage>();
      for (const locked of read(file)) {
        const key = `${locked.name}\0${locked.version}`;
        if (found.get(key)?.isDevelopment !== false) found.set(key, { isDevelopment: false, ...locked });
      }
      for (const { isDevelopment, ...proof } of found.values()) {
        yield provenPackage(file, isDevelopment === true ? { ...proof, development: true } : proof);
      }
    },
  };
}
