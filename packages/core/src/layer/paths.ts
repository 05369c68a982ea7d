/**
 * The path inside the root for a name in an archive: no leading `/`, no `.`, `..` or empty segment; `""` is the root.
 * Undefined when the name leads out of the root.
 * @example
 * normalizePath("./usr//bin/../lib"); // "usr/lib"
 * normalizePath("../etc"); // undefined
 */
export function normalizePath(name: string): string | undefined {
  const rest = name.startsWith("./") ? name.slice(2) : name; // the usual prefix
  if (isNormal(rest)) return rest;
  const segments: string[] = [];
  for (const segment of name.split("/")) {
    if (segment === "" || segment === ".") continue;
    if (segment !== "..") segments.push(segment);
    else if (segments.pop() === undefined) return undefined;
  }
  return segments.join("/");
}

/** The folder a path is in. */
export function parentOf(path: string): string {
  return path.slice(0, Math.max(0, path.lastIndexOf("/")));
}

/**
 * The path that a link in a folder states, without other links on the way. `..` above the root is the root.
 * @example
 * targetPath("app/node_modules", "../packages/a"); // "app/packages/a"
 */
export function targetPath(folder: string, target: string): string {
  const segments = target.startsWith("/") ? [] : folder.split("/");
  for (const segment of target.split("/")) {
    if (segment === "..") segments.pop();
    else if (segment !== "." && segment !== "") segments.push(segment);
  }
  return segments.filter((segment) => segment !== "").join("/");
}

/** The last segment of a path. */
export function nameOf(path: string): string {
  return path.slice(path.lastIndexOf("/") + 1);
}

/** A path inside a folder. */
export function joinPath(folder: string, name: string): string {
  return folder === "" ? name : `${folder}/${name}`;
}

/** The folders above a path, nearest first, the root (`""`) last. */
export function* foldersAbove(path: string): Iterable<string> {
  for (let folder = path; folder !== ""; ) {
    folder = parentOf(folder);
    yield folder;
  }
}

/** A cheap test that may be false for a normal name (`a/.b`), which is then normalized without effect. */
function isNormal(name: string): boolean {
  return (
    !name.startsWith(".") &&
    !name.startsWith("/") &&
    !name.endsWith("/") &&
    !name.includes("//") &&
    !name.includes("/.")
  );
}
