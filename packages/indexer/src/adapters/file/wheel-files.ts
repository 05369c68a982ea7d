import { ScanError } from "@plimsoll/core";
import { createZipReader } from "@plimsoll/core/internal";
import { readRange } from "../archive/file-access.ts";
import { openRegularFile } from "../archive/open-file.ts";

const maxWheelBytes = 1024 ** 3;
const maxMetadataBytes = 16 * 1024 ** 2;

/** A file with its content. */
export interface UnpackedFile {
  readonly path: string;
  readonly bytes: Uint8Array;
}

/**
 * The metadata files of a wheel, with the paths that they have after installation.
 * @throws ScanError `malformed_archive`, `unsupported_source` for a wheel that is too large
 * @see https://packaging.python.org/en/latest/specifications/binary-distribution-format/
 */
export async function wheelFiles(path: string): Promise<readonly UnpackedFile[]> {
  await using file = await openRegularFile(path);
  const { size } = await file.stat();
  if (size > maxWheelBytes)
    throw new ScanError(
      "unsupported_source",
      `${path}: expected a wheel of at most ${maxWheelBytes} bytes, found ${size}`,
    );
  const zip = createZipReader();
  const archive = { location: path, bytes: await readRange(file, 0, size) };
  const entries = zip.list(archive, { wants: (name) => /^[^/]+\.dist-info\/METADATA$/.test(name) });
  return entries.map((entry) => ({
    path: `site-packages/${entry.name}`,
    bytes: zip.read(archive, entry, maxMetadataBytes),
  }));
}
