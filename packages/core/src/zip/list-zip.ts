import { type Archive, malformedArchive } from "./archive.ts";
import { readDirectory, type ZipEntry } from "./read-directory.ts";
import { type ReadAt, readFrom } from "./reading.ts";

/** Where an archive is read from: a file, an answer to range requests. */
export interface ZipSource extends Archive {
  /** Fewer bytes only at the end. */
  readonly readAt: ReadAt;
}

/** Contents together may have so many times the bytes of the archive, once they are larger than `ratioFromBytes`. */
const maxRatio = 250;
const ratioFromBytes = 256 * 1024 ** 2;

/**
 * Lists an archive's entries in the order of its directory. No two of them share bytes of the archive, and their contents
 * together are no more than the archive can be expected to hold: reading all of them is no more work than its size allows.
 * @throws ScanError `malformed_archive` where the archive is none, is cut off or has no readable directory
 * @example
 * declare const source: ZipSource;
 * const read = openZip(source);
 * for (const entry of await listZip(source)) if (entry.name.endsWith(".json")) await read(entry);
 */
export async function listZip(source: ZipSource): Promise<readonly ZipEntry[]> {
  const entries = await readFrom((offset, length) => source.readAt(offset, length), readDirectory(source));
  const contentBytes = entries.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0);
  if (contentBytes > ratioFromBytes && contentBytes > maxRatio * source.sizeBytes) {
    throw malformedArchive(source, `${contentBytes} bytes of content in ${source.sizeBytes}`);
  }
  return entries;
}
