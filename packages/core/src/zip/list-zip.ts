import { readDirectory, type ZipEntry } from "./read-directory.ts";
import { type Archive, malformedArchive, type ReadAt, readFrom } from "./reading.ts";

/** A zip archive in a file, or on a server that supports range requests. */
export interface ZipSource extends Archive {
  /** Returns fewer bytes only at the end. */
  readonly readAt: ReadAt;
}

/** The maximal ratio of all contents to the archive, once the contents are larger than `ratioFromBytes`. */
const maxRatio = 250;
const ratioFromBytes = 256 * 1024 ** 2;

/**
 * Lists an archive's entries in the order of its directory. Entries do not overlap, and the ratio of their contents to the
 * archive is limited: the work of reading all of them is limited by the size of the archive.
 * @throws ScanError `malformed_archive` where the bytes are not a zip archive, are cut off or have no readable directory
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
