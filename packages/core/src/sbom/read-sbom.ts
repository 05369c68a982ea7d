import { ScanError } from "../errors.ts";
import { parseJson } from "../model/json.ts";
import { isObject } from "../model/json-object.ts";
import { isCycloneDx, readCycloneDx } from "./cyclonedx.ts";
import type { Sbom } from "./sbom.ts";
import { isSpdx, readSpdx } from "./spdx.ts";
import { isSyft, readSyft } from "./syft.ts";

/** Of a document; the largest known are a tenth of it. */
const maxBytes = 256 * 1024 ** 2;

/**
 * The packages of a bill of materials: CycloneDX, SPDX 2 or Syft's own form, each in JSON, told apart by content.
 *
 * @param name of the document, for messages
 * @example
 * import { readFile } from "node:fs/promises";
 *
 * const { packages, distribution } = readSbom(await readFile("app.cdx.json"), "app.cdx.json");
 * @throws ScanError `malformed_sbom` where it is none of them; an entry that cannot be read is a problem of the result
 */
export function readSbom(bytes: Uint8Array, name: string): Sbom {
  if (bytes.length > maxBytes) {
    throw new ScanError("malformed_sbom", `${name}: expected at most ${maxBytes} bytes, found ${bytes.length}`);
  }
  const document = parseJson(bytes, name, "malformed_sbom");
  if (isObject(document)) {
    if (isCycloneDx(document)) return readCycloneDx(document);
    if (isSyft(document)) return readSyft(document);
    if (isSpdx(document)) return readSpdx(document);
  }
  throw new ScanError("malformed_sbom", `${name}: expected CycloneDX, SPDX 2 or Syft in JSON, found something else`);
}
