import { normalizePath } from "@plimsoll/core/internal";
import { BuildError } from "@plimsoll/registry/ports/building";

/** The path of an entry inside the folder that an archive is unpacked into. @throws BuildError for one that leads out of it */
export function contextPath(name: string): string {
  const path = normalizePath(name);
  if (path !== undefined && !path.includes("\0")) return path;
  throw new BuildError(`The archive has an entry that leads out of it: ${quoteName(name)}`);
}

/**
 * Checks where a symbolic link leads. `..` is permitted only at the beginning of its target: the folders above a link are never
 * links, so that the text alone shows where these steps lead.
 * @param path the path of the link, from {@link contextPath}
 * @throws BuildError for a link that can lead out of the folder
 */
export function checkLinkTarget(path: string, target: string): void {
  const segments = target.split("/").filter((segment) => segment !== "" && segment !== ".");
  const up = segments.findIndex((segment) => segment !== "..");
  const steps = up === -1 ? segments.length : up;
  const depth = path.split("/").length - 1;
  const isSafe = !target.startsWith("/") && !target.includes("\0") && steps <= depth;
  if (isSafe && target !== "" && !segments.slice(steps).includes("..")) return;
  throw new BuildError(`The archive has a link that leads out of it: ${quoteName(path)} to ${quoteName(target)}`);
}

/** A name in an error message. */
export function quoteName(name: string): string {
  return JSON.stringify(name.slice(0, 200));
}
