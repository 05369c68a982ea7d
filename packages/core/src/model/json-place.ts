import { ScanError, type ScanErrorCode } from "../errors.ts";
import { type Digest, parseDigest } from "./digest.ts";
import type { Json } from "./json-value.ts";

/** A value of a JSON document with its place, for error messages. */
export interface JsonPlace {
  /** Undefined where the document has no such member. */
  readonly value: Json | undefined;
  /** The document: `image manifest sha256:…`. */
  readonly document: string;
  /** The path in the document: `layers[2].digest`; empty for the whole document. */
  readonly path: string;
  /** The code of errors about the place. */
  readonly code: ScanErrorCode;
}

/** The whole of a document. */
export function documentPlace(value: Json, document: string, code: ScanErrorCode): JsonPlace {
  return { value, document, path: "", code };
}

/** An error about a place. */
export function placeError(place: JsonPlace, message: string): ScanError {
  const at = place.path === "" ? place.document : `${place.document}: ${place.path}`;
  return new ScanError(place.code, `${at}: ${message}`);
}

/** The error for a place whose value is not `expected`. */
export function unexpected(place: JsonPlace, expected: string): ScanError {
  return placeError(place, `expected ${expected}, found ${shown(place.value)}`);
}

/** Whether there is no value at the place, or `null`. */
export function isAbsent(place: JsonPlace): boolean {
  return place.value === undefined || place.value === null;
}

/** A member of the object at `place`. @throws ScanError when there is no object */
export function memberAt(place: JsonPlace, name: string): JsonPlace {
  const object = objectAt(place);
  return step(place, Object.hasOwn(object, name) ? object[name] : undefined, name);
}

/** The members of the object at `place`, in document order; none where it is absent. @throws ScanError */
export function membersAt(place: JsonPlace): readonly (readonly [name: string, place: JsonPlace])[] {
  if (isAbsent(place)) return [];
  return Object.entries(objectAt(place)).map(([name, value]) => [name, step(place, value, name)]);
}

/** The items of the array at `place`. @throws ScanError when there is no array */
export function itemsAt(place: JsonPlace): readonly JsonPlace[] {
  if (!isArray(place.value)) throw unexpected(place, "an array");
  return place.value.map((value, index) => ({ ...place, value, path: `${place.path}[${index}]` }));
}

/** The items of the array at `place`; none where it is absent. @throws ScanError when there is something else */
export function optionalItemsAt(place: JsonPlace): readonly JsonPlace[] {
  return isAbsent(place) ? [] : itemsAt(place);
}

/** As {@link optionalItemsAt}, one item after the other. */
export function* eachItemAt(place: JsonPlace): Generator<JsonPlace> {
  if (isAbsent(place)) return;
  if (!isArray(place.value)) throw unexpected(place, "an array");
  for (const [index, value] of place.value.entries()) yield { ...place, value, path: `${place.path}[${index}]` };
}

/** The string at `place`. @throws ScanError when there is no string */
export function stringAt(place: JsonPlace): string {
  if (typeof place.value !== "string") throw unexpected(place, "a string");
  return place.value;
}

/** The string at `place`; undefined where it is absent or empty. @throws ScanError when there is something else */
export function optionalStringAt(place: JsonPlace): string | undefined {
  return isAbsent(place) ? undefined : stringAt(place) || undefined;
}

/** The count or size at `place`. @throws ScanError when it is not a whole number from 0 to 2⁵³ − 1 */
export function sizeAt(place: JsonPlace): number {
  const { value } = place;
  if (typeof value !== "number" || !Number.isSafeInteger(value) || value < 0) {
    throw unexpected(place, "a whole number from 0 to 2^53-1");
  }
  return value;
}

/**
 * The digest at `place`.
 * @throws ScanError `malformed_digest` or `unsupported_digest`; the place's code when there is no string
 */
export function digestAt(place: JsonPlace): Digest {
  const text = stringAt(place);
  try {
    return parseDigest(text);
  } catch (cause) {
    if (!(cause instanceof ScanError)) throw cause;
    throw placeError({ ...place, code: cause.code }, cause.message);
  }
}

function step(place: JsonPlace, value: Json | undefined, name: string): JsonPlace {
  return { ...place, value, path: place.path === "" ? name : `${place.path}.${name}` };
}

function objectAt(place: JsonPlace): { readonly [name: string]: Json | undefined } {
  const { value } = place;
  if (typeof value !== "object" || value === null || isArray(value)) throw unexpected(place, "an object");
  return value;
}

function isArray(value: Json | undefined): value is readonly Json[] {
  return Array.isArray(value);
}

function shown(value: Json | undefined): string {
  if (value === undefined) return "nothing";
  if (typeof value === "number") return String(value); // JSON.stringify would show the Infinity of 1e400 as null
  if (typeof value === "object" && value !== null) return isArray(value) ? "an array" : "an object";
  const text = JSON.stringify(value);
  return text.length > 100 ? `${text.slice(0, 100)}…` : text;
}
