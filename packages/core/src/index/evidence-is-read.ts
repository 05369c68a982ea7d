import { lockFiles } from "../evidence/rules.ts";
import type { UnassessedKind } from "../model/index-report.ts";
import type { FileDetector, FileEntry } from "../plugins/detector.ts";
import type { Ecosystem } from "../plugins/ecosystem.ts";

/**
 * A test whether detectors have read the packages that a path is evidence of. A lock file lists packages that may be installed, so it
 * counts as read where installed packages of its ecosystem were found.
 * @param found names of the ecosystems that found packages
 */
export function evidenceIsRead(
  ecosystems: readonly Ecosystem[],
  found: ReadonlySet<string>,
): (kind: UnassessedKind, path: string) => boolean {
  return (kind, path) =>
    ecosystems.some(({ name, assesses = [], fileDetectors, pathDetectors = [] }) => {
      if (!assesses.includes(kind)) return false;
      if (fileDetectors === undefined || (found.has(name) && isLockFile(path))) return true;
      if (pathDetectors.some(({ packages }) => packages === kind) && !isLockFile(path)) return true;
      return fileDetectors.some((detector) => isRead(detector, kind, path));
    });
}

function isRead({ programs, wants }: FileDetector, kind: UnassessedKind, path: string): boolean {
  const info: FileEntry = { path, kind: "file", sizeBytes: 1, mode: 0o755 };
  return (programs === kind && !isLockFile(path)) || wants(info);
}

function isLockFile(path: string): boolean {
  return lockFiles.has(path.slice(path.lastIndexOf("/") + 1));
}
