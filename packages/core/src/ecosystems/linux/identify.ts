import type { Release } from "../../distributions/shared/known-distribution.ts";
import type { ProblemFinding } from "../../plugins/finding.ts";
import { withoutUndefined } from "../../without-undefined.ts";
import { noProblems, problemFindings } from "./file-problems.ts";
import { releaseFileKinds } from "./release-files.ts";

/** The distribution in the release files of one layer, and the problems of these files. */
export interface IdentifiedRelease {
  /** The release and the file that decided; absent if no file names one. */
  readonly found?: { readonly path: string; readonly release: Release };
  readonly problems: readonly ProblemFinding[];
}

/**
 * Identifies the distribution from the release files of one layer, by path. The most reliable file decides. Others add missing fields if
 * they name the same distribution: Ubuntu 14.04 has its code name only in lsb-release. Problems of files after the deciding one are
 * ignored.
 */
export function identifyRelease(files: ReadonlyMap<string, Uint8Array>): IdentifiedRelease {
  const problems: ProblemFinding[] = [];
  let found: IdentifiedRelease["found"];
  for (const { path, bytes, read } of releaseFilesOf(files)) {
    const fileProblems = noProblems();
    const release = read(bytes, fileProblems);
    if (found === undefined) {
      problems.push(...problemFindings(path, "malformed_image", fileProblems));
      if (release !== undefined) found = { path, release };
    } else if (release?.did === found.release.did) {
      found = { path: found.path, release: { ...release, ...withoutUndefined(found.release) } };
    }
  }
  return found === undefined ? { problems } : { found, problems };
}

function* releaseFilesOf(files: ReadonlyMap<string, Uint8Array>) {
  for (const { read, paths } of releaseFileKinds) {
    for (const path of paths) {
      const bytes = files.get(path);
      if (bytes !== undefined) yield { path, bytes, read };
    }
  }
}
