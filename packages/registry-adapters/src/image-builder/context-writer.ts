import {
  chmodSync,
  closeSync,
  fchmodSync,
  linkSync,
  mkdirSync,
  openSync,
  symlinkSync,
  unlinkSync,
  writeSync,
} from "node:fs";
import { join } from "node:path";
import { normalizePath, type TarEntry, type TarVisitor, type Watcher } from "@plimsoll/core/internal";
import { BuildError } from "@plimsoll/registry/ports/building";

/** Folders of the context have no mode of their own: images get one that each user may enter. */
const folderMode = 0o755;

/** Limits of what is written. */
export interface WriterLimits {
  /** Files, folders and links, including folders that only occur in paths. */
  readonly maxEntries: number;
  readonly maxBytes: number;
}

/** An entry of an archive. */
export type ContextEntry = Pick<TarEntry, "kind" | "name" | "linkName" | "mode" | "sizeBytes" | "isSparse">;

/**
 * Writes the entries of an archive into an empty folder that nothing else writes to. It never writes through a link: the parent of
 * an entry must be a folder that the writer made. An entry that leads out of the folder or exceeds a limit throws BuildError.
 */
export class ContextWriter implements TarVisitor {
  readonly #folder: string;
  readonly #limits: WriterLimits;
  readonly #kinds = new Map<string, "folder" | "file" | "link">([["", "folder"]]);
  #entries = 0;
  #bytes = 0;
  #open: number | undefined;

  constructor(folder: string, limits: WriterLimits) {
    this.#folder = folder;
    this.#limits = limits;
  }

  entry(entry: ContextEntry): boolean | Watcher {
    this.close();
    const path = contextPath(entry.name);
    switch (entry.kind) {
      case "folder":
        this.#makeFolder(path);
        return false;
      case "file":
        return this.#beginFile(path, entry);
      case "symbolic-link":
        checkLinkTarget(path, entry.linkName);
        this.#make(path, "link", (at) => symlinkSync(entry.linkName, at));
        return false;
      case "hard-link":
        this.#linkFile(path, contextPath(entry.linkName));
        return false;
      case "device":
        throw new BuildError(`The archive has a device: ${quoteName(entry.name)}`);
    }
  }

  /** Not called: no entry requests its content as a whole. */
  content(): void {}

  /** Closes the file that is being written. */
  close(): void {
    if (this.#open === undefined) return;
    closeSync(this.#open);
    this.#open = undefined;
  }

  #beginFile(path: string, { sizeBytes, isSparse, mode, name }: ContextEntry): Watcher {
    if (isSparse) throw new BuildError(`The archive has a sparse file: ${quoteName(name)}`);
    this.#bytes += sizeBytes;
    if (this.#bytes > this.#limits.maxBytes) {
      throw new BuildError(`The archive unpacks to more than ${this.#limits.maxBytes} bytes`);
    }
    this.#make(path, "file", (at) => {
      this.#open = openSync(at, "wx", 0o600);
      fchmodSync(this.#open, (mode & 0o777) | 0o600); // whatever the umask of this process is
    });
    return (part) => {
      for (let at = 0; at < part.length && this.#open !== undefined; ) at += writeSync(this.#open, part, at);
      return true;
    };
  }

  #linkFile(path: string, target: string): void {
    if (this.#kinds.get(target) !== "file") {
      throw new BuildError(`The archive has a hard link whose target is not an earlier file: ${quoteName(target)}`);
    }
    if (path !== target) this.#make(path, "file", (at) => linkSync(join(this.#folder, target), at));
  }

  /** Creates a file or a link, in place of an earlier one of that name. */
  #make(path: string, kind: "file" | "link", create: (at: string) => void): void {
    const slash = path.lastIndexOf("/");
    this.#makeFolder(path.slice(0, Math.max(0, slash)));
    const earlier = this.#kinds.get(path);
    if (earlier === "folder")
      throw new BuildError(`The archive has a folder and a file of one name: ${quoteName(path)}`);
    const at = join(this.#folder, path);
    if (earlier === undefined) this.#count();
    else unlinkSync(at);
    create(at);
    this.#kinds.set(path, kind);
  }

  #makeFolder(path: string): void {
    if (this.#kinds.get(path) === "folder") return;
    for (let slash = path.indexOf("/"); ; slash = path.indexOf("/", slash + 1)) {
      const folder = slash === -1 ? path : path.slice(0, slash);
      const kind = this.#kinds.get(folder);
      if (kind === "file" || kind === "link") {
        throw new BuildError(`The archive has an entry below a path that is not a folder: ${quoteName(path)}`);
      }
      if (kind === undefined) {
        this.#count();
        mkdirSync(join(this.#folder, folder));
        chmodSync(join(this.#folder, folder), folderMode);
        this.#kinds.set(folder, "folder");
      }
      if (slash === -1) return;
    }
  }

  #count(): void {
    if (++this.#entries <= this.#limits.maxEntries) return;
    throw new BuildError(`The archive has more than ${this.#limits.maxEntries} files, folders and links`);
  }
}

/** The path of an entry inside the folder that an archive is unpacked into. @throws BuildError for one that leads out of it */
function contextPath(name: string): string {
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
function checkLinkTarget(path: string, target: string): void {
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
