import type { Detector, FileEntry, LayerFile, LayerFiles } from "../../plugins/detector.ts";
import type { Finding } from "../../plugins/finding.ts";
import { parseApkRepositories } from "./apk-repositories.ts";
import { distinctFiles } from "./distinct-files.ts";
import { noProblems, problemFindings } from "./file-problems.ts";
import { identifyRelease } from "./identify.ts";
import { releaseFileKinds } from "./release-files.ts";
import { findEsm } from "./ubuntu-pro.ts";

const releasePaths: ReadonlySet<string> = new Set(releaseFileKinds.flatMap(({ paths }) => paths));
const esmStatus = "var/lib/ubuntu-advantage/status.json";

/**
 * Finds the operating system release in a layer: one distribution for all its release files. Also finds apk's repositories and Ubuntu's
 * expanded security maintenance, which change the advisories that apply to the release.
 */
export const distributionDetector: Detector = {
  name: "linux-release",
  revision: 2,
  names: { endings: [...releasePaths, esmStatus, "/repositories", ".list"] },
  wants: ({ path }: FileEntry) => releasePaths.has(path) || path === esmStatus || isRepositoryList(path),
  *detect(files: LayerFiles) {
    const distinct = [...distinctFiles(files)];
    yield* readRelease(distinct.filter(({ path }) => releasePaths.has(path)));
    for (const file of distinct) {
      if (isRepositoryList(file.path)) yield* readRepositories(file);
      if (file.path === esmStatus) yield* readEsm(file);
    }
  },
};

function isRepositoryList(path: string): boolean {
  return path === "etc/apk/repositories" || /^(?:etc|lib)\/apk\/repositories\.d\/[^/]+\.list$/.test(path);
}

function* readRelease(files: readonly LayerFile[]): Iterable<Finding> {
  const { found, problems } = identifyRelease(new Map(files.map(({ path, bytes }) => [path, bytes])));
  if (found !== undefined) yield { kind: "distribution", path: found.path, distribution: found.release };
  yield* problems;
}

function* readRepositories({ path, bytes }: LayerFile): Iterable<Finding> {
  const { repositories, problems } = parseApkRepositories(bytes);
  for (const repository of repositories) yield { kind: "repository", path, repository };
  yield* problemFindings(path, "malformed_image", problems);
}

function* readEsm({ path, bytes }: LayerFile): Iterable<Finding> {
  const problems = noProblems();
  for (const repository of findEsm(bytes, problems)) yield { kind: "repository", path, repository };
  yield* problemFindings(path, "malformed_image", problems);
}
