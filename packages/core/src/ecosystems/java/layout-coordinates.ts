import { topLevels } from "./archive-name.ts";
import { type Coordinates, isId, isVersion } from "./pom-properties.ts";

/**
 * The coordinates in the path of an archive in a local repository or a cache, by folders that only such a place has:
 *
 * ```
 * Maven          … ".m2/repository" {"/" word of the group} "/" ARTIFACT "/" VERSION "/" FILE
 * Karaf          … name with "karaf" "/system" {"/" word of the group} "/" ARTIFACT "/" VERSION "/" FILE
 * Coursier       … "https/" HOST "/maven2" {"/" word of the group} "/" ARTIFACT "/" VERSION "/" FILE
 * Gradle         … "files-2.1/" GROUP "/" ARTIFACT "/" VERSION "/" SHA-1 "/" FILE
 * Ivy            … "cache/" GROUP "/" ARTIFACT "/" ("jars" | "bundles") "/" FILE
 * FILE           = ARTIFACT "-" VERSION ["-" classifier] "." extension
 * ```
 * Undefined if the file is named otherwise, or if the group may begin at another folder: {@link placesOf} has those that it may be.
 * @see https://maven.apache.org/repository/layout.html
 */
export function findLayoutCoordinates(path: string): Coordinates | undefined {
  const folders = path.split("/");
  const file = folders.pop() ?? "";
  return whole(file, gradle(folders) ?? ivy(folders, file) ?? maven(folders));
}

/**
 * The coordinates of an archive below a folder that its user calls a repository, for an index: those of {@link findLayoutCoordinates}, or those below a folder
 * that is named like one. Undefined if the group may begin at another folder: `repository/central/com/acme` may have the group `com.acme`.
 */
export function findCoordinatesBelow(path: string): Coordinates | undefined {
  const folders = path.split("/");
  const file = folders.pop() ?? "";
  const found = folders.flatMap((folder, root) => (roots.has(folder) ? mavenBelow(folders.slice(root + 1)) : []));
  const [only, ...others] = found;
  const begin = only?.group.split(".").findLastIndex((word) => topLevels.has(word)) ?? 0;
  return findLayoutCoordinates(path) ?? (others.length > 0 || begin > 0 ? undefined : whole(file, only));
}

/**
 * The coordinates that an archive may have if the folders above it are those of a repository, whose root may be any of them; the longest group first. Empty
 * if file and folders do not agree on artifact and version.
 */
export function placesOf(path: string): readonly Coordinates[] {
  const folders = path.split("/");
  const file = folders.pop() ?? "";
  const from = Math.max(0, folders.length - maxFolders);
  const places = folders.slice(from).flatMap((_, at) => whole(file, mavenBelow(folders.slice(from + at))[0]) ?? []);
  return places.filter((_, at) => !topLevels.has(folders[from + at - 1] ?? ""));
}

/** The folders above an archive that may belong to its group, with those of artifact and version. */
const maxFolders = 18;

function whole(file: string, found: Coordinates | undefined): Coordinates | undefined {
  if (found === undefined || !isNamedSo(file, found)) return undefined;
  return isId(found.group) && isId(found.artifact) && isVersion(found.version) ? found : undefined;
}

/** The folders that users name so if they have the folders of groups. Others have them too. */
const roots: ReadonlySet<string> = new Set(["maven2", "repository", "system"]);

/** Folders in a local repository below which others begin: Tycho's, and those of repositories that are kept apart. */
const inner: ReadonlySet<string> = new Set(["cached", "installed", "p2"]);

/** Undefined also if several folders may be the root: the groups would differ. */
function maven(folders: readonly string[]): Coordinates | undefined {
  const isRoot = (at: number) => {
    const [above = "", parent = "", folder = ""] = [folders[at - 2], folders[at - 1], folders[at]];
    if (folder === "repository") return parent === ".m2" && !inner.has(folders[at + 1] ?? "");
    if (folder === "system") return /karaf/i.test(parent);
    return folder === "maven2" && /^https?$/.test(above);
  };
  const found = folders.flatMap((_, at) => (isRoot(at) ? mavenBelow(folders.slice(at + 1)) : []));
  return found.length === 1 ? found[0] : undefined;
}

function mavenBelow(folders: readonly string[]): readonly Coordinates[] {
  const [artifact, version] = folders.slice(-2);
  const group = folders.slice(0, -2);
  const isGroup = group.length > 0 && group.every((word) => /^\w[\w-]*$/.test(word));
  return isGroup && artifact && version ? [{ group: group.join("."), artifact, version }] : [];
}

function gradle(folders: readonly string[]): Coordinates | undefined {
  const root = folders.lastIndexOf("files-2.1");
  const [group, artifact, version, digest, ...more] = folders.slice(root + 1);
  const isWhole = root >= 0 && digest !== undefined && more.length === 0;
  return isWhole && group && artifact && version ? { group, artifact, version } : undefined;
}

function ivy(folders: readonly string[], file: string): Coordinates | undefined {
  const [root, group = "", artifact = "", kind = ""] = folders.slice(-4);
  if (root !== "cache" || !/^(?:jars|bundles)$/.test(kind) || !file.startsWith(`${artifact}-`)) return undefined;
  const version = file.slice(artifact.length + 1).replace(/\.[a-z]+$/, "");
  return { group, artifact, version };
}

/** Whether a file has the name of the artifact, which nothing or a classifier may follow. */
export function isNamedSo(file: string, { artifact, version }: Coordinates): boolean {
  const name = `${artifact}-${version.replace(/-SNAPSHOT$/, "")}`;
  return file.startsWith(name) && /^[-.]/.test(file.slice(name.length));
}
