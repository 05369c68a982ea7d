import { ScanError } from "../../errors.ts";
import { parseJson } from "../../model/json.ts";
import type { Json } from "../../model/json-value.ts";
import type { LayerFile } from "../../plugins/detector.ts";

/**
 * The JSON value of a file; a mark of the byte order does not count.
 * @throws ScanError `malformed_package_db` where the file is larger, or no JSON
 */
export function readJson(file: LayerFile, maxBytes: number): NonNullable<Json> {
  const sizeBytes = file.parts?.length ?? file.bytes.length;
  if (sizeBytes > maxBytes) {
    throw new ScanError("malformed_package_db", `expected at most ${maxBytes} bytes, found ${sizeBytes}`);
  }
  return parseJson(withoutByteOrderMark(file.bytes), file.path, "malformed_package_db");
}

function withoutByteOrderMark(bytes: Uint8Array): Uint8Array {
  return bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf ? bytes.subarray(3) : bytes;
}
