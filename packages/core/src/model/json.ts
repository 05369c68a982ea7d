import { ScanError, type ScanErrorCode } from "../errors.ts";
import { jsonSteps } from "./json-steps.ts";
import type { Json } from "./json-value.ts";

/** The maximal nesting of arrays and objects; a deeper value could overflow the stack of a recursive function. */
const maxDepth = 500;

/**
 * Parses a JSON document. `null` is an error. A member that occurs twice has its last value.
 * @param what names the document in messages: `image manifest sha256:…`
 * @param code of the errors thrown
 * @throws ScanError `code` (`malformed_image` by default) for bytes that are empty, truncated, not UTF-8, `null`, or
 * nested too deeply
 * @example
 * parseJson(new TextEncoder().encode("[1, 2]"), "list"); // [1, 2]
 */
export function parseJson(bytes: Uint8Array, what: string, code: ScanErrorCode = "malformed_image"): NonNullable<Json> {
  if (bytes.length === 0) throw new ScanError(code, `${what}: expected a JSON document, found no bytes`);
  if (isTooDeep(bytes)) throw new ScanError(code, `${what}: JSON is nested more than ${maxDepth} levels deep`);
  const value = parseText(decodeText(bytes, what, code), what, code);
  if (value === null) throw new ScanError(code, `${what}: expected a JSON document, found null`);
  return value;
}

/** How many values a document may hold that is parsed in steps: it takes some hundred megabytes then. */
const mostValues = 2_000_000;

/** How many bytes are decoded in one step. */
const decodedBytes = 1024 * 1024;

/**
 * Parses a JSON document that is not trusted as {@link parseJson} does, in steps between which other work can run.
 * @throws ScanError as {@link parseJson}, and for more than two million values
 */
export function* parseJsonSteps(
  bytes: Uint8Array,
  what: string,
  code: ScanErrorCode,
): Generator<undefined, NonNullable<Json>> {
  if (bytes.length === 0) throw new ScanError(code, `${what}: expected a JSON document, found no bytes`);
  try {
    const value = yield* jsonSteps(yield* decodeSteps(bytes, what, code), { mostValues, mostDepth: maxDepth });
    if (value === null) throw new ScanError(code, `${what}: expected a JSON document, found null`);
    return value;
  } catch (cause) {
    if (cause instanceof ScanError) throw cause;
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new ScanError(code, `${what}: expected JSON: ${reason}`, { cause });
  }
}

function* decodeSteps(bytes: Uint8Array, what: string, code: ScanErrorCode): Generator<undefined, string> {
  const decoder = new TextDecoder("utf-8", { fatal: true });
  let text = "";
  try {
    for (let at = 0; at < bytes.length; at += decodedBytes) {
      text += decoder.decode(bytes.subarray(at, at + decodedBytes), { stream: true });
      yield;
    }
    return text + decoder.decode();
  } catch (cause) {
    throw new ScanError(code, `${what}: expected UTF-8, found other bytes`, { cause });
  }
}

function decodeText(bytes: Uint8Array, what: string, code: ScanErrorCode): string {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch (cause) {
    throw new ScanError(code, `${what}: expected UTF-8, found other bytes`, { cause });
  }
}

function parseText(text: string, what: string, code: ScanErrorCode): Json {
  try {
    return JSON.parse(text) as Json;
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new ScanError(code, `${what}: expected JSON: ${reason}`, { cause });
  }
}

const [quote, backslash] = [0x22, 0x5c];
const [openArray, closeArray] = [0x5b, 0x5d];
const [openObject, closeObject] = [0x7b, 0x7d];

/** Counts brackets outside strings. The result for malformed text does not matter, since parsing then fails. */
function isTooDeep(bytes: Uint8Array): boolean {
  let depth = 0;
  let inString = false;
  for (let at = 0; at < bytes.length; at++) {
    const byte = bytes[at];
    if (inString) {
      if (byte === backslash) at++;
      else if (byte === quote) inString = false;
    } else if (byte === quote) inString = true;
    else if (byte === openArray || byte === openObject) {
      if (++depth > maxDepth) return true;
    } else if (byte === closeArray || byte === closeObject) depth--;
  }
  return false;
}
