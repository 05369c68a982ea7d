import { createHash } from "node:crypto";
import { createReadStream, type Dirent, type Stats } from "node:fs";
import { type FileHandle, open, readdir, readFile, realpath, stat } from "node:fs/promises";
import { join, relative, sep } from "node:path";
import { ScanError } from "@plimsoll/core";
import { type FeedDocument, type FeedFolder, fileProblem } from "@plimsoll/core/internal";
import type { Feed } from "@plimsoll/core/plugins";
import { throwIfAborted } from "../values/abort.ts";
import { resolvePath } from "./feed-location.ts";

/** Options of {@link openLocalFeed}. */
export interface LocalFeedOptions {
  /** The configured file or folder. */
  readonly base: string;
  readonly name: string | undefined;
  readonly previous: string | undefined;
  readonly maxBytes: number;
  readonly maxFiles: number;
  readonly resources: AsyncDisposableStack;
  readonly signal?: AbortSignal;
}

/** Opens a file or a folder. @throws ScanError `not_found` for a part of the feed, `feed_unreachable`, `malformed_feed` if it is too large */
export async function openLocalFeed(options: LocalFeedOptions): Promise<Feed> {
  const { base, name, previous } = options;
  const root = await rootOf(base);
  const path =
    name === undefined ? base : await inside(base, resolvePath(base, name, { isFolder: root.isDirectory() }), root);
  const found = name === undefined ? root : await statOf(path);
  if (!found.isDirectory() && !found.isFile()) throw noFile(path);
  const opening = found.isDirectory() ? openFolder(path, options) : openFile(path, found.size, options);
  const feed = await opening.catch((error: unknown) => Promise.reject(unreadable(path, error)));
  return feed.validator === previous ? { kind: "unchanged" } : feed;
}

async function openFile(path: string, sizeBytes: number, { maxBytes, resources, signal }: LocalFeedOptions) {
  if (sizeBytes > maxBytes) throw tooLarge(path, maxBytes);
  const hash = createHash("sha256");
  for await (const chunk of createReadStream(path)) {
    throwIfAborted(signal, `reading ${path}`);
    hash.update(chunk as Uint8Array);
  }
  return fileDocument({ path, location: path, validator: `sha256:${hash.digest("hex")}`, sizeBytes }, resources);
}

/**
 * Opens a folder. Its validator is computed from names, sizes and times of its files, without reading them. A symbolic link out of the folder is listed as a
 * file that cannot be read, so that it is counted; what one in the folder leads to is listed itself.
 */
async function openFolder(path: string, { maxBytes, maxFiles, signal }: LocalFeedOptions): Promise<FeedFolder> {
  const entries = await readdir(path, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile() || entry.isSymbolicLink());
  if (files.length > maxFiles) throw new ScanError("malformed_feed", `${path} has more than ${maxFiles} files`);
  const nameOf = (entry: Dirent) => relative(path, join(entry.parentPath, entry.name)).split(sep).join("/");
  const real = await realpath(path);
  const outside = new Set<string>();
  for (const name of files.filter((entry) => entry.isSymbolicLink()).map(nameOf)) {
    throwIfAborted(signal, `reading ${path}`);
    const target = await realpath(join(path, name)).catch(() => undefined);
    if (target === undefined || !isBelow(real, target)) outside.add(name);
  }
  const names = [...files.filter((entry) => entry.isFile()).map(nameOf), ...outside].sort();
  const known = new Set(names);
  const hash = createHash("sha256");
  for (const name of names) {
    throwIfAborted(signal, `reading ${path}`);
    const { size, mtimeMs } = outside.has(name) ? { size: -1, mtimeMs: 0 } : await statOf(join(path, name));
    hash.update(`${name}\0${size}\0${mtimeMs}\n`);
  }
  return {
    kind: "folder",
    location: path,
    validator: `folder:${hash.digest("hex")}`,
    names,
    async read(name) {
      const file = join(path, name);
      if (!known.has(name)) throw new ScanError("not_found", `${path} has no file ${JSON.stringify(name)}`);
      if (outside.has(name))
        throw new ScanError(
          "not_found",
          `${file} is a link that leads out of the feed's folder: replace it with the file`,
        );
      const now = await statOf(file);
      if (!now.isFile()) throw noFile(file);
      if (now.size > maxBytes) throw tooLarge(file, maxBytes);
      return readFile(file).catch((error: unknown) => Promise.reject(unreadable(file, error)));
    },
  };
}

/** The real path of a document. @throws ScanError `not_found` if a symbolic link leads out of the configured folder */
async function inside(base: string, path: string, root: Stats): Promise<string> {
  const folder = await realpath(root.isDirectory() ? base : join(base, ".."));
  const real = await realpath(path).catch((error: unknown) => Promise.reject(unreadable(path, error)));
  if (isBelow(folder, real)) return real;
  throw new ScanError("not_found", `${path} leads out of the feed's folder ${folder}`);
}

function isBelow(folder: string, path: string): boolean {
  return path === folder || path.startsWith(folder.endsWith(sep) ? folder : folder + sep);
}

/** The configured location. One that is missing has no parts either, so it differs from a part that an updater only looks for. */
async function rootOf(base: string): Promise<Stats> {
  return statOf(base).catch((error: unknown) => {
    if (!(error instanceof ScanError) || error.code !== "not_found") throw error;
    throw new ScanError("feed_unreachable", `there is no file or folder ${base}`, { cause: error });
  });
}

async function statOf(path: string): Promise<Stats> {
  return stat(path).catch((error: unknown) => Promise.reject(unreadable(path, error)));
}

function unreadable(path: string, cause: unknown): ScanError {
  if (cause instanceof ScanError) return cause;
  const code = cause instanceof Error && "code" in cause ? cause.code : undefined;
  if (code === "ENOENT" || code === "ENOTDIR")
    return new ScanError("not_found", `there is no feed at ${path}`, { cause });
  return new ScanError("feed_unreachable", `the feed ${fileProblem(path, "read", cause)}`, { cause });
}

/** The error for pipes and devices: a feed is read twice, and opening a pipe without a writer never ends. */
function noFile(path: string): ScanError {
  const remedy = "write the output of a pipe to a file first";
  return new ScanError("feed_unreachable", `the feed ${path} is neither a file nor a folder: ${remedy}`);
}

function tooLarge(path: string, maxBytes: number): ScanError {
  return new ScanError("malformed_feed", `${path} has more than ${maxBytes} bytes`);
}

/** A file with a document of a feed. */
interface FeedFileOptions {
  readonly path: string;
  /** The location for messages. */
  readonly location: string;
  readonly validator: string;
  readonly sizeBytes: number;
}

/** The chunk size of streams. */
const chunkBytes = 256 * 1024;

/** A document in a file. Its handle is opened on first use and closed with `resources`. */
export function fileDocument(options: FeedFileOptions, resources: AsyncDisposableStack): FeedDocument {
  let handle: Promise<FileHandle> | undefined;
  return {
    kind: "document",
    location: options.location,
    validator: options.validator,
    sizeBytes: options.sizeBytes,
    stream: () => createReadStream(options.path, { highWaterMark: chunkBytes }),
    async readAt(offset, length) {
      handle ??= open(options.path).then((opened) => resources.use(opened));
      const bytes = new Uint8Array(Math.max(0, Math.min(length, options.sizeBytes - offset)));
      const { bytesRead } = await (await handle).read(bytes, 0, bytes.length, offset);
      return bytes.subarray(0, bytesRead);
    },
  };
}
