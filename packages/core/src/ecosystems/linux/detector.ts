/**
 * The repositories of apk: `etc/apk/repositories` and `repositories.d/*.list`.
 *
 * ```
 * line    = "#" comment | "set" … | "default" … | [type] ["@" tag] url {component}
 * type    = "ndx" | "v2" | "v3"
 * url     = address of a repository | absolute path
 * ```
 * @see https://gitlab.alpinelinux.org/alpine/apk-tools/-/blob/master/doc/apk-repositories.5.scd
 */

import type { Release } from "../../distributions/shared/known-distribution.ts";
import type { PackageRepository } from "../../model/package.ts";
import { trimEnd } from "../../model/trim-end.ts";
import type { Detector, FileEntry, LayerFile, LayerFiles } from "../../plugins/detector.ts";
import type { Finding, ProblemFinding } from "../../plugins/finding.ts";
import { withoutUndefined } from "../../without-undefined.ts";
import { maxReleaseFileBytes } from "./assignments.ts";
import { distinctFiles } from "./distinct-files.ts";
import { type FileProblems, noProblems, noteProblem, problemFindings } from "./file-problems.ts";
import { lineText, nextLine, openLines } from "./lines.ts";
import { releaseFileKinds } from "./release-files.ts";
import { decodeText, isPlain, quoted } from "./text.ts";
import { findEsm } from "./ubuntu-pro.ts";

const releasePaths: ReadonlySet<string> = new Set(releaseFileKinds.flatMap(({ paths }) => paths));
const esmStatus = "var/lib/ubuntu-advantage/status.json";

/**
 * Finds the operating system release in a layer: one distribution for all its release files. Also finds apk's repositories and Ubuntu's
 * expanded security maintenance, which change the advisories that apply to the release, and the releases of systems in folders, such as a `chroot`.
 */
export const distributionDetector: Detector = {
  name: "linux-release",
  revision: 4,
  names: { endings: [...releasePaths, esmStatus, "/repositories", ".list"] },
  wants: ({ path, kind }: FileEntry) =>
    releasePaths.has(path) ||
    path === esmStatus ||
    isRepositoryList(path) ||
    (kind === "file" && findOtherRoot(path) !== undefined),
  *detect(files: LayerFiles) {
    const own = [...files].filter(({ path }) => findOtherRoot(path) === undefined);
    const byPath = new Map(own.map((file) => [file.path, file]));
    const distinct = [...distinctFiles({ [Symbol.iterator]: () => own.values(), get: (path) => byPath.get(path) })];
    yield* readRelease(distinct.filter(({ path }) => releasePaths.has(path)));
    yield* otherReleases(files);
    for (const file of distinct) {
      if (isRepositoryList(file.path)) yield* readRepositories(file);
      if (file.path === esmStatus) yield* readEsm(file);
    }
  },
};

/** Folders in which a release file is only an example. */
const examples = /(?:^|\/)(?:doc|fixtures|testdata|tests?)\//;

/** The folder of a system that is not that of the image, by its `os-release`; undefined for other files. */
function findOtherRoot(path: string): string | undefined {
  if (!path.endsWith("/os-release") || releasePaths.has(path) || examples.test(path)) return undefined;
  const file = ["/etc/os-release", "/usr/lib/os-release"].find((each) => path.endsWith(each));
  return file && path.slice(0, -file.length);
}

/** The releases of other systems. A file that cannot be read says nothing: the packages of its system are then undecided. */
function* otherReleases(files: LayerFiles): Iterable<Finding> {
  const named = [...files].flatMap(({ path, contentPath, bytes }) => {
    const root = path === contentPath ? findOtherRoot(path) : undefined; // an absolute link leads out of the folder
    return root === undefined ? [] : [{ root, path, bytes }];
  });
  for (const [root, ofRoot] of Map.groupBy(named, (each) => each.root)) {
    const own = new Map(ofRoot.map(({ path, bytes }) => [path.slice(root.length + 1), bytes]));
    const { found } = identifyRelease(own);
    if (found !== undefined)
      yield { kind: "distribution", path: `${root}/${found.path}`, root, distribution: found.release };
  }
}

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

/** The distribution in the release files of one layer, and the problems of these files. */
interface IdentifiedRelease {
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

/** The repositories in a file. */
interface ApkRepositories {
  readonly repositories: readonly Omit<PackageRepository, "id">[];
  readonly problems: FileProblems;
}

/**
 * The `key` of a repository with a tag, which is its name: apk installs from it only packages that are requested with the tag, and writes the tag into its database.
 */
export const apkTagKey = "apk-tag";

/** Parses a list of repositories, one for each address or component. Those with a tag have `apkTagKey`. Never throws. */
export function parseApkRepositories(bytes: Uint8Array): ApkRepositories {
  const found = new Map<string, Omit<PackageRepository, "id">>();
  const problems = noProblems();
  if (bytes.length > maxReleaseFileBytes) {
    noteProblem(problems, 0, `expected at most ${maxReleaseFileBytes} bytes, found ${bytes.length}`);
    return { repositories: [], problems };
  }
  const cursor = openLines(decodeText(bytes));
  while (nextLine(cursor)) {
    const line = lineText(cursor).trim();
    const { tag, addresses } = entryOf(line);
    for (const address of addresses) {
      if (isAddress(address)) found.set(`${tag ?? ""} ${address}`, repositoryAt(address, tag));
      else noteProblem(problems, cursor.line, `expected the address of a repository, found ${quoted(line)}`);
    }
  }
  return { repositories: [...found.values()], problems };
}

/** The addresses of a line, and the tag that they have. */
interface Entry {
  readonly tag?: string | undefined;
  readonly addresses: readonly string[];
}

function entryOf(line: string): Entry {
  if (line === "" || line.startsWith("#")) return { addresses: [] };
  const words = line.split(/\s+/);
  if (words[0] === "set" || words[0] === "default") return { addresses: [] };
  if (words[0] === "ndx" || words[0] === "v2" || words[0] === "v3") words.shift();
  const tag = words[0]?.startsWith("@") ? words.shift()?.slice(1) : undefined;
  const [address = "", ...components] = words;
  const plain = trimEnd(address, "/");
  return { tag, addresses: components.length === 0 ? [plain] : components.map((component) => `${plain}/${component}`) };
}

function isAddress(text: string): boolean {
  return isPlain(text) && /^(?:https?:\/\/|ftp:\/\/|file:\/\/|\/)[!-~]+$/.test(text) && !text.includes("${");
}

/** The repository at an address. Its name is the last two parts of the address, `v3.20/main`, or its tag. A path is not a URI. */
function repositoryAt(address: string, tag: string | undefined): Omit<PackageRepository, "id"> {
  if (tag !== undefined) return { name: tag, key: apkTagKey, uri: address };
  return address.startsWith("/") ? { name: nameOf(address) } : { name: nameOf(address), uri: address };
}

function nameOf(address: string): string {
  return address
    .split("/")
    .filter((part) => part !== "")
    .slice(-2)
    .join("/");
}
