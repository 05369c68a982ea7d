import type { ScanErrorCode } from "../errors.ts";
import { parseJsonSteps } from "../model/json.ts";
import type { Json } from "../model/json-value.ts";
import { inSlices, type YieldToOthers } from "../model/slices.ts";

/** How a document is named in messages, and the code of its errors. */
export interface ParsedDocument {
  /** `image manifest sha256:…` */
  readonly what: string;
  readonly code: ScanErrorCode;
}

/**
 * Parses a JSON document of any length as {@link parseJson} does, in slices of a few milliseconds.
 * @throws ScanError as {@link parseJson}, and for more than two million values
 * @example
 * const bytes = new TextEncoder().encode('{"layers":[]}');
 * const document = { what: "image manifest", code: "malformed_manifest" } as const;
 * await parseJsonInSlices(bytes, document, () => new Promise(setImmediate)); // { layers: [] }
 */
export function parseJsonInSlices(
  bytes: Uint8Array,
  { what, code }: ParsedDocument,
  yieldToOthers: YieldToOthers,
): Promise<NonNullable<Json>> {
  return inSlices(parseJsonSteps(bytes, what, code), yieldToOthers);
}
