import { constants, type Dirent, type Stats } from "node:fs";
import { type FileHandle, lstat, open, readdir, readlink } from "node:fs/promises";
import { join } from "node:path";
import type { Limits } from "@plimsoll/core";
import { ScanError } from "@plimsoll/core/errors";

/** One path below a root. Links are not followed. */
export type RootEntry =
  | { readonly kind: "file"; readonly path: string; readonly sizeBytes: number; readonly mode: number }
  | { readonly kind: "symbolic-link"; readonly path: string; readonly target: string; readonly mode: number }
  | { readonly kind: "folder" | "device"; readonly path: string }
  /** A path whose kind or content cannot be read. */
  | { readonly kind: "unreadable"; readonly path: string; readonly reason: string };

/** Options of {@link walkRoot}. */
interface WalkOptions {
  readonly limits: Pick<Limits, "maxEntries">;
  readonly signal?: AbortSignal;
}

/** File systems of the running kernel, partly endless. They are not part of an image. */
const kernelFolders = new Set(["dev", "proc", "sys"]);

/**
 * Yields everything below a folder, sorted by name within each folder. Paths have no leading slash.
 * @throws ScanError `entry_limit`, `aborted`
 */
export async function* walkRoot(root: string, options: WalkOptions): AsyncGenerator<RootEntry> {
  const { maxEntries } = options.limits;
  const folders = [""];
  let entries = 0;
  for (let folder = folders.pop(); folder !== undefined; folder = folders.pop()) {
    if (options.signal?.aborted === true) throw new ScanError("aborted", `walking ${root} was cancelled`);
    const found = await readFolder(root, folder);
    entries += found.length;
    if (entries > maxEntries) throw new ScanError("entry_limit", `${root} has more than ${maxEntries} entries`);
    for (const entry of found) if (entry.kind === "folder") folders.push(entry.path);
    yield* found;
  }
}

async function readFolder(root: string, folder: string): Promise<readonly RootEntry[]> {
  let children: Dirent[];
  try {
    children = await readdir(join(root, folder), { withFileTypes: true });
  } catch (error) {
    return [{ kind: "unreadable", path: folder, reason: reasonOf(error) }];
  }
  const named = children.filter(({ name }) => folder !== "" || !kernelFolders.has(name));
  named.sort((a, b) => (a.name < b.name ? -1 : 1));
  return Promise.all(
    named.map((child) => readEntry(root, folder === "" ? child.name : `${folder}/${child.name}`, child)),
  );
}

async function readEntry(root: string, path: string, child: Dirent): Promise<RootEntry> {
  try {
    if (child.isDirectory()) return { kind: "folder", path };
    const found: Stats = await lstat(join(root, path));
    const mode = found.mode & 0o7777;
    if (found.isFile()) return { kind: "file", path, sizeBytes: found.size, mode };
    if (!found.isSymbolicLink()) return { kind: "device", path };
    return { kind: "symbolic-link", path, target: await readlink(join(root, path)), mode };
  } catch (error) {
    return { kind: "unreadable", path, reason: reasonOf(error) };
  }
}

/** The reason of an error without the path, which messages already contain. */
export function reasonOf(error: unknown): string {
  return error instanceof Error && "code" in error ? String(error.code) : String(error);
}

/**
 * Opens a file below a root. Because the tree may change meanwhile, links and pipes, which could block, are refused.
 */
export async function openNoLink(path: string): Promise<FileHandle> {
  const file = await open(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
  if ((await file.stat()).isFile()) return file;
  await file.close();
  throw new Error("no longer a file");
}

const firstPartBytes = 4096;
const partBytes = 256 * 1024;

/** Passes the parts of a file to a watcher until it returns false. @returns the reason if the file cannot be read */
export async function showFile(path: string, watcher: (part: Uint8Array) => boolean): Promise<string | undefined> {
  try {
    await using file = await openNoLink(path);
    let length = firstPartBytes;
    for (let position = 0; ; length = partBytes) {
      const { bytesRead, buffer } = await file.read(new Uint8Array(length), 0, length, position);
      position += bytesRead;
      if (bytesRead === 0 || !watcher(buffer.subarray(0, bytesRead))) return undefined;
    }
  } catch (error) {
    return reasonOf(error);
  }
}
