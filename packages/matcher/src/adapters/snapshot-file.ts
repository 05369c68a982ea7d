import { randomUUID } from "node:crypto";
import { createReadStream, createWriteStream } from "node:fs";
import { open, rename, rm } from "node:fs/promises";
import { pipeline } from "node:stream/promises";
import { exportDatabase } from "../snapshot/export-database.ts";
import { type ImportOptions, type ImportResult, importDatabase } from "../snapshot/import-database.ts";
import type { MatcherStore } from "../store/tables.ts";

/**
 * Writes a snapshot file: zstd when its name ends in `.zst`, gzip otherwise. The file appears whole or not at all, and
 * replaces one that is there.
 */
export async function exportToFile(store: MatcherStore, path: string, signal?: AbortSignal): Promise<void> {
  const compression = path.endsWith(".zst") ? "zstd" : "gzip";
  const unfinished = `${path}.${randomUUID()}.part`;
  const source = exportDatabase(store, { compression, ...(signal !== undefined && { signal }) });
  try {
    await pipeline(source, createWriteStream(unfinished, { flags: "wx", flush: true }));
    await rename(unfinished, path);
  } catch (error) {
    await rm(unfinished, { force: true });
    throw error;
  }
}

/** Takes a snapshot file in: all of it, or nothing. */
export async function importFromFile(
  path: string,
  options: Omit<ImportOptions, "source">,
): Promise<readonly ImportResult[]> {
  const file = await open(path);
  try {
    return await importDatabase({ ...options, source: createReadStream("", { fd: file, autoClose: false }) });
  } finally {
    await file.close();
  }
}
