import { ScanError } from "../../errors.ts";
import { parseJson } from "../../model/json.ts";
import type { Json } from "../../model/json-value.ts";
import type { LayerFile } from "../../plugins/detector.ts";

/**
 * Reads the JSON value of a file. A byte order mark is ignored.
 * @throws ScanError `malformed_package_db` if the file is larger than `maxBytes`, or not JSON
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
