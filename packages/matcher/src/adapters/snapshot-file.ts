import { randomUUID } from "node:crypto";
import { createReadStream, createWriteStream } from "node:fs";
import { open, rename, rm } from "node:fs/promises";
import { pipeline } from "node:stream/promises";
import { type Bytes, ScanError } from "@plimsoll/core";
import { type FileUse, fileProblem } from "@plimsoll/core/internal";
import { isPipe, readPipe } from "@plimsoll/store";
import { exportDatabase } from "../snapshot/export-database.ts";
import { checkSnapshot, type ImportOptions, type ImportResult, importDatabase } from "../snapshot/import-database.ts";
import type { MatcherStore } from "../store/tables.ts";

/**
 * Writes a snapshot file: zstd if its name ends in `.zst`, gzip otherwise. The file appears completely or not at all, and
 * replaces an existing one.
 * @throws ScanError `not_found`, `not_permitted` or `unsupported_source` for a path where no file can be written
 * @example
 * declare const store: MatcherStore;
 * await exportToFile(store, "advisories.zst");
 */
export async function exportToFile(store: MatcherStore, path: string, signal?: AbortSignal): Promise<void> {
  const compression = path.endsWith(".zst") ? "zstd" : "gzip";
  const unfinished = `${path}.${randomUUID()}.part`;
  const source = exportDatabase(store, { compression, signal });
  try {
    await pipeline(source, createWriteStream(unfinished, { flags: "wx", flush: true }));
    await rename(unfinished, path);
  } catch (error) {
    await rm(unfinished, { force: true }).catch(() => {}); // its folder may be a file
    throw toFileError(path, "written", error);
  }
}

/**
 * Imports a snapshot file, completely or not at all.
 * @throws ScanError as {@link exportToFile}, and `malformed_feed` for a file that is not a snapshot
 * @example
 * declare const store: MatcherStore;
 * const results = await importFromFile("advisories.zst", { store, clock: { now: Date.now } });
 */
export async function importFromFile(
  path: string,
  options: Omit<ImportOptions, "source">,
): Promise<readonly ImportResult[]> {
  try {
    if (await isPipe(path)) return await importDatabase({ ...options, source: readPipe(path, options.signal) });
    return await withFile(path, (source) => importDatabase({ ...options, source }));
  } catch (error) {
    throw toImportError(path, error);
  }
}

/**
 * Checks whether a file begins like a snapshot, before a database is created for it. A pipe is not checked, because it can be read only
 * once.
 * @throws ScanError as {@link importFromFile}
 * @example
 * await checkSnapshotFile("advisories.zst");
 */
export async function checkSnapshotFile(path: string): Promise<void> {
  try {
    if (!(await isPipe(path))) await withFile(path, checkSnapshot);
  } catch (error) {
    throw toImportError(path, error);
  }
}

async function withFile<Result>(path: string, read: (source: Bytes) => Promise<Result>): Promise<Result> {
  const file = await open(path);
  try {
    return await read(createReadStream("", { fd: file, autoClose: false }));
  } finally {
    await file.close();
  }
}

function toImportError(path: string, error: unknown): unknown {
  if (!(error instanceof ScanError) || error.code !== "malformed_feed") return toFileError(path, "read", error);
  return new ScanError(error.code, `${path}: ${error.message}; nothing was changed`, { cause: error });
}

const codes = {
  EACCES: "not_permitted",
  EISDIR: "unsupported_source",
  ENOENT: "not_found",
  ENOTDIR: "not_found",
  EPERM: "not_permitted",
  EROFS: "not_permitted",
} as const;

/** Explains an error of the file system; other errors are returned unchanged. */
function toFileError(path: string, use: FileUse, error: unknown): unknown {
  const code = error instanceof Error && "code" in error ? error.code : undefined;
  const found = Object.entries(codes).find(([known]) => known === code)?.[1];
  return found === undefined ? error : new ScanError(found, fileProblem(path, use, error), { cause: error });
}
