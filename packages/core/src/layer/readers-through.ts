import type { Detector, FileEntry } from "../plugins/detector.ts";

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
