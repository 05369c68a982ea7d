import { wholeOf } from "../../bytes/byte-parts.ts";
import { ScanError } from "../../errors.ts";
import { parseJson } from "../../model/json.ts";
import type { Json } from "../../model/json-value.ts";
import type { LayerFile } from "../../plugins/detector.ts";

/**
 * Reads the JSON value of a file. A byte order mark is ignored. As in the programs that use such files, a byte that is not UTF-8 is
 * replaced: the description of an installed package may have its author's name in Latin-1.
 * @throws ScanError `malformed_package_db` if the file is larger than `maxBytes`, or not JSON
 */
export function readJson(file: LayerFile, maxBytes: number): NonNullable<Json> {
  const bytes = withoutByteOrderMark(wholeOf(file, maxBytes));
  try {
    return parseJson(bytes, file.path, "malformed_package_db");
  } catch (error) {
    if (isUtf8(bytes)) throw error;
    return parseJson(new TextEncoder().encode(new TextDecoder().decode(bytes)), file.path, "malformed_package_db");
  }
}

/** As {@link readJson}; undefined for a file that cannot be read: what it says is not needed to know which packages are there. */
export function findJson(file: LayerFile, maxBytes: number): NonNullable<Json> | undefined {
  try {
    return readJson(file, maxBytes);
  } catch (error) {
    if (error instanceof ScanError) return undefined;
    throw error;
  }
}

function isUtf8(bytes: Uint8Array): boolean {
  try {
    new TextDecoder("utf-8", { fatal: true }).decode(bytes);
    return true;
  } catch {
    return false;
  }
}

function withoutByteOrderMark(bytes: Uint8Array): Uint8Array {
  return bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf ? bytes.subarray(3) : bytes;
}
