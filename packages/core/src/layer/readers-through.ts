import { atOnce, nameOfValue } from "../model/at-once.ts";
import type { Detector, FileDetector, FileEntry } from "../plugins/detector.ts";

/** The part of a plug-in that says which files it wants. */
type Wanting = Pick<Detector, "names" | "wants">;

/** How plug-ins are asked. */
export interface Asking<Plugin extends Wanting> {
  /** The plug-ins whose names fit a path. */
  readonly pluginsFor: (path: string) => readonly Plugin[];
  readonly isWanted: (plugin: Plugin, info: FileEntry) => boolean;
}

/**
 * The plug-ins that want a file by the path of a symbolic link to it, and do not want it by its own path, where they read it in any case.
 * @example
 * declare const asking: Asking<Pick<FileDetector, "names" | "wants">>;
 * const link = { path: "app/node_modules/a/package.json", kind: "symbolic-link", sizeBytes: 0, mode: 0o777 } as const;
 * const readers = readersThrough(asking, link, "store/1f");
 */
export function readersThrough<Plugin extends Wanting>(
  { pluginsFor, isWanted }: Asking<Plugin>,
  link: FileEntry,
  contentPath: string,
): readonly Plugin[] {
  const content: FileEntry = { ...link, path: contentPath, kind: "file" };
  const readThere = new Set(pluginsFor(contentPath).filter((plugin) => isWanted(plugin, content)));
  return pluginsFor(link.path).filter((plugin) => !readThere.has(plugin) && isWanted(plugin, link));
}

/** Whether a plug-in wants a file, asked again after its layer was read. One that fails wants nothing here: reading the layer has reported it. */
export function wantsFile({ wants, name }: Pick<Detector, "name" | "wants">, file: FileEntry): boolean {
  try {
    return atOnce(wants(file), "wants", name);
  } catch {
    return false;
  }
}

/** The names of files that a detector reads below a symbolic link to a folder. @throws TypeError if it returns no list of texts */
export function namesBelow(
  { name, readsBelow }: Pick<FileDetector, "name" | "readsBelow">,
  path: string,
): readonly string[] {
  if (readsBelow === undefined) return none;
  const names: unknown = atOnce(readsBelow(path), "readsBelow", name);
  if (Array.isArray(names) && names.every((each) => typeof each === "string")) return names;
  const found = Array.isArray(names) ? names.map(nameOfValue).find((each) => each !== "string") : nameOfValue(names);
  throw new TypeError(`readsBelow: expected a list of texts, found ${found}`);
}

const none: readonly string[] = [];
