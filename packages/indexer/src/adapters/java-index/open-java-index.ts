import { createHash } from "node:crypto";
import { closeSync, existsSync, fstatSync, openSync, renameSync } from "node:fs";
import { ScanError } from "@plimsoll/core/errors";
import {
  archivesIn,
  type ByteParts,
  fileProblem,
  type JavaCoordinates,
  type OpenIndexFile,
  piecesOf,
  readJavaIndex,
} from "@plimsoll/core/internal";
import { FileWindows } from "../platform/file-windows.ts";

/** An index of published Java archives in a file. Disposing of it closes the file. */
export interface OpenJavaIndex extends JavaCoordinates, Disposable {
  readonly file: OpenIndexFile;
  /** The number of archives in it. */
  readonly archives: number;
}

/**
 * Opens an index of published Java archives. The open file is used as long as the index is, also if another file gets its name; so an index
 * is replaced by renaming a new file, not by writing into the old one.
 * @throws ScanError `feed_unreachable` if the file cannot be read, `malformed_feed` if it is not such an index
 * @example
 * using java = openJavaIndex("java-index.db");
 * const engine = createEngine({ ecosystems: allEcosystems, lookups: { java } });
 */
export function openJavaIndex(path: string): OpenJavaIndex {
  return openShown(path, path);
}

/** @param shown the name of the file in messages */
function openShown(path: string, shown: string): OpenJavaIndex {
  const fd = openFile(path);
  try {
    const file = { fd, sizeBytes: fstatSync(fd).size };
    const index = javaIndexIn({ file, state: stateOf(partsOf(file)) });
    return { ...index, file, archives: archivesIn(partsOf(file)), [Symbol.dispose]: () => closeSync(fd) };
  } catch (error) {
    closeSync(fd);
    if (!(error instanceof ScanError)) throw error;
    throw new ScanError("malformed_feed", `the Java index ${shown}: ${error.message}`, { cause: error });
  }
}

/**
 * Gives the file of a complete index its name. An index without archives does not replace one with some.
 * @param source the name of the complete index in messages; default: its path
 * @returns the number of archives
 * @throws ScanError `malformed_feed` if it is not an index, or has no archives and the existing one has some
 * @example
 * const archives = replaceJavaIndex("java-index.db.unfinished", "java-index.db");
 */
export function replaceJavaIndex(complete: string, path: string, source: string = complete): number {
  using index = openShown(complete, source);
  const { archives } = index;
  if (archives === 0 && hasArchives(path)) {
    throw new ScanError(
      "malformed_feed",
      `expected archives for the Java index ${path}, which had some before, found none: the earlier index stays`,
    );
  }
  renameSync(complete, path);
  return archives;
}

/** False also for a file that is not an index. */
function hasArchives(path: string): boolean {
  if (!existsSync(path)) return false;
  try {
    using index = openJavaIndex(path);
    return index.archives > 0;
  } catch (error) {
    if (error instanceof ScanError) return false;
    throw error;
  }
}

/** The index in an open file, for a thread. */
export function javaIndexIn({ file, state }: Pick<OpenJavaIndex, "file" | "state">): JavaCoordinates {
  return readJavaIndex({ bytes: partsOf(file), state, file, sha1 });
}

function openFile(path: string): number {
  try {
    return openSync(path, "r");
  } catch (cause) {
    throw new ScanError("feed_unreachable", `the Java index ${fileProblem(path, "read", cause)}`, { cause });
  }
}

/** The bytes of an open file, of which little is in memory. */
export function partsOf({ fd, sizeBytes }: OpenIndexFile): ByteParts {
  const windows = new FileWindows(() => fd);
  return {
    length: sizeBytes,
    subarray: (start, end) => windows.read(Math.min(start, sizeBytes), Math.min(end, sizeBytes), sizeBytes),
  };
}

const sampledParts = 64;
const sampleBytes = 4096;

/**
 * A digest of the size, the first page and parts that are spread evenly over the file. A change within the file increases the counter in the
 * first page; a new file has its entries, which are sorted by digests, in other places.
 */
function stateOf(bytes: ByteParts): string {
  const hash = createHash("sha256").update(`${bytes.length}\n`);
  const step = Math.max(sampleBytes, Math.floor(bytes.length / sampledParts));
  for (let at = 0; at < bytes.length; at += step) hash.update(bytes.subarray(at, at + sampleBytes));
  return hash.digest("hex");
}

/** The SHA-1 of bytes. */
export function sha1(bytes: ByteParts): Uint8Array {
  const hash = createHash("sha1");
  for (const piece of piecesOf(bytes)) hash.update(piece);
  return hash.digest();
}
