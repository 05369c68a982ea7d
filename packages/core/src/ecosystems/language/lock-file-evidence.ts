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

/**
 * The rule for tar archives, plain or in gzip, with packages of a kind: distributions of servers, packed applications, packed packages. Those of tests show nothing.
 * @param packed matches the names of members
 */
export function packedInTar(kind: UnassessedKind, packed: RegExp): FileEvidence {
  return { kind, extensions: ["tar", "tar.gz", "tgz"], unless: inTests, packed };
}

/** Folders for tests. */
export const inTests = /(?:^|\/)(?:fixtures?|t|test-?data|tests?|testing)\//i;
