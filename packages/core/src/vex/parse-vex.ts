import { parseJson } from "../model/json.ts";
import { documentPlace, unexpected } from "../model/json-place.ts";
import { csafStatements, isCsaf } from "./csaf.ts";
import { cycloneDxStatements, isCycloneDx } from "./cyclonedx.ts";
import { isOpenVex, openVexStatements } from "./openvex.ts";
import type { VexStatement } from "./statement.ts";

/**
 * Reads the statements of a VEX document: OpenVEX, CSAF 2.0 or CycloneDX, recognized by content.
 *
 * @param name of the document, for messages
 * @example
 * import { readFile } from "node:fs/promises";
 *
 * const statements = parseVex(await readFile("app.openvex.json"), "app.openvex.json");
 * @throws ScanError `malformed_vex` if it is none of them, or if any statement cannot be read: a document is not applied in part
 */
export function parseVex(bytes: Uint8Array, name: string): readonly VexStatement[] {
  const document = documentPlace(parseJson(bytes, name, "malformed_vex"), name, "malformed_vex");
  if (typeof document.value !== "object" || Array.isArray(document.value)) throw unexpected(document, expected);
  if (isOpenVex(document)) return openVexStatements(document);
  if (isCsaf(document)) return csafStatements(document);
  if (isCycloneDx(document)) return cycloneDxStatements(document);
  throw unexpected(document, expected);
}

const expected = "a document of OpenVEX, CSAF 2.0 or CycloneDX";
