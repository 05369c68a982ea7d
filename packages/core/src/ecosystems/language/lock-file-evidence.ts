import type { UnassessedKind } from "../../model/index-report.ts";
import type { FileEvidence } from "../../plugins/evidence.ts";
import { isOfDependency } from "./package-folders.ts";

/** The rule for lock files with these names; they show nothing in folders of installed packages. */
export function lockFilesNamed(kind: UnassessedKind, ...files: readonly string[]): FileEvidence {
  return { kind, files, unless: inDependency, isLockFile: true };
}

/** The rule for lock files of which a part of the name is free: `pylock.NAME.toml`. */
export function lockFilesLike(kind: UnassessedKind, extension: string, where: RegExp): FileEvidence {
  return { kind, extensions: [extension], where, unless: inDependency, isLockFile: true };
}

const inDependency = { test: isOfDependency };
