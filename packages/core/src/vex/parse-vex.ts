import { utf8Of } from "../bytes/utf8-of.ts";
import { parseJson } from "../model/json.ts";
import { documentPlace, unexpected } from "../model/json-place.ts";
import type { Json } from "../model/json-value.ts";
import { allAtOnce, inSlices, type Steps, type YieldToOthers } from "../model/slices.ts";
import { csafStatements, isCsaf } from "./csaf.ts";
import { cycloneDxStatements, isCycloneDx } from "./cyclonedx.ts";
import { isOpenVex, openVexStatements } from "./openvex.ts";
import type { VexStatement } from "./statement.ts";

/**
 * Reads the statements of a VEX document: OpenVEX, CSAF 2.0 or CycloneDX, recognized by content. It may be in UTF-16 with a byte order mark.
 *
 * @param name of the document, for messages
 * @example
 * import { readFile } from "node:fs/promises";
 *
 * const statements = parseVex(await readFile("app.openvex.json"), "app.openvex.json");
 * @throws ScanError `malformed_vex` if it is none of them, or if any statement cannot be read: a document is not applied in part
 */
export function parseVex(bytes: Uint8Array, name: string): readonly VexStatement[] {
  return allAtOnce(vexSteps(parseJson(utf8Of(bytes, { name, code: "malformed_vex" }), name, "malformed_vex"), name));
}

/**
 * Reads the statements of a parsed VEX document as {@link parseVex} does, and yields the thread every few milliseconds.
 * @example
 * import { setImmediate } from "node:timers/promises";
 *
 * const document = JSON.parse('{ "@context": "https://openvex.dev/ns/v0.2.0", "statements": [] }');
 * const statements = await readVexInSlices(document, "app.openvex.json", () => setImmediate());
 * @throws ScanError `malformed_vex`
 */
export function readVexInSlices(
  document: NonNullable<Json>,
  name: string,
  yieldToOthers: YieldToOthers,
): Promise<readonly VexStatement[]> {
  return inSlices(vexSteps(document, name), yieldToOthers);
}

function* vexSteps(value: NonNullable<Json>, name: string): Steps<readonly VexStatement[]> {
  const document = documentPlace(value, name, "malformed_vex");
  if (typeof document.value !== "object" || Array.isArray(document.value)) throw unexpected(document, expected);
  if (isOpenVex(document)) return yield* openVexStatements(document);
  if (isCsaf(document)) return yield* csafStatements(document);
  if (isCycloneDx(document)) return yield* cycloneDxStatements(document);
  throw unexpected(document, expected);
}

const expected = "a document of OpenVEX, CSAF 2.0 or CycloneDX";
