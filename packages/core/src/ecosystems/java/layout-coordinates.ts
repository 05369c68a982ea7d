import { type Coordinates, isId, isVersion } from "./pom-properties.ts";

/**
 * The coordinates in the path of an archive in a local repository or a cache:
 *
 * ```
 * Maven, Karaf   … ("repository" | "maven2" | "system") {"/" word of the group} "/" ARTIFACT "/" VERSION "/" FILE
 * Gradle         … "files-2.1/" GROUP "/" ARTIFACT "/" VERSION "/" SHA-1 "/" FILE
 * Ivy            … "cache/" GROUP "/" ARTIFACT "/" ("jars" | "bundles") "/" FILE
 * FILE           = ARTIFACT "-" VERSION ["-" classifier] "." extension
 * ```
 * Undefined if the file is named otherwise, or if the group may begin at another folder.
 * @see https://maven.apache.org/repository/layout.html
 */
export function findLayoutCoordinates(path: string): Coordinates | undefined {
  const folders = path.split("/");
  const file = folders.pop() ?? "";
  const found = gradle(folders) ?? ivy(folders, file) ?? maven(folders);
  if (found === undefined || !isNamedSo(file, found)) return undefined;
  return isId(found.group) && isId(found.artifact) && isVersion(found.version) ? found : undefined;
}

/** The folders that have the folders of groups. */
const roots: ReadonlySet<string> = new Set(["maven2", "repository", "system"]);

/** Undefined also if several folders may be the root: the groups would differ. */
function maven(folders: readonly string[]): Coordinates | undefined {
  const found = folders.flatMap((folder, root) => (roots.has(folder) ? mavenBelow(folders.slice(root + 1)) : []));
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
