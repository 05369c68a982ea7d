import { decodeBase64, encodeBase64 } from "../bytes/base64.ts";
import { ScanError } from "../errors.ts";
import type { LayerShape, PathSet } from "./layer-contents.ts";
import { hashPath } from "./path-hash.ts";

/** Bytes of one encoded hash: 53 bits, least significant byte first. */
const encodedBytes = 7;

/**
 * The set of the given paths.
 * @example
 * buildPathSet(["etc/passwd", "etc/group"]).has("etc/group"); // true
 */
export function buildPathSet(paths: Iterable<string>): PathSet {
  return pathSetOf(Float64Array.from(Array.from(paths, hashPath)));
}

/**
 * The set of the paths with the given hashes. The set owns the array and may sort it.
 * @example
 * pathSetOf(Float64Array.of(hashPath("etc/passwd"))).has("etc/group"); // false
 */
export function pathSetOf(hashes: Float64Array<ArrayBuffer>): PathSet {
  if (!isSorted(hashes)) hashes.sort();
  return {
    hashes,
    has: (path) => includesSorted(hashes, hashPath(path)),
    hasHash: (hash) => includesSorted(hashes, hash),
    encode: () => encodeBase64(encodeHashes(hashes)),
  };
}

/** The shape of a layer that changes nothing. */
export const nothingChanged: LayerShape = {
  removed: buildPathSet([]),
  opaque: buildPathSet([]),
  leaves: buildPathSet([]),
  folders: buildPathSet([]),
};

/**
 * Decodes a set of paths.
 * @throws ScanError `malformed_image` when the text is not an encoded set
 * @example
 * decodePathSet(buildPathSet(["etc/passwd"]).encode()).has("etc/passwd"); // true
 */
export function decodePathSet(text: string): PathSet {
  const bytes = decodeBase64(text);
  if (bytes === undefined || bytes.length % encodedBytes !== 0) {
    throw new ScanError("malformed_image", `expected a set of paths, found ${JSON.stringify(text.slice(0, 40))}`);
  }
  const hashes = new Float64Array(bytes.length / encodedBytes);
  for (let index = 0; index < hashes.length; index++) {
    for (let at = encodedBytes - 1; at >= 0; at--) {
      hashes[index] = (hashes[index] ?? 0) * 256 + (bytes[index * encodedBytes + at] ?? 0);
    }
  }
  return pathSetOf(hashes);
}

function isSorted(hashes: Float64Array): boolean {
  for (let index = 1; index < hashes.length; index++) {
    if ((hashes[index - 1] ?? 0) > (hashes[index] ?? 0)) return false;
  }
  return true;
}

function encodeHashes(hashes: Float64Array): Uint8Array {
  const bytes = new Uint8Array(hashes.length * encodedBytes);
  let at = 0;
  for (const hash of hashes) {
    const low = hash >>> 0;
    const high = (hash - low) / 2 ** 32;
    for (let shift = 0; shift < 32; shift += 8) bytes[at++] = low >>> shift;
    for (let shift = 0; shift < 24; shift += 8) bytes[at++] = high >>> shift;
  }
  return bytes;
}

function includesSorted(hashes: Float64Array, hash: number): boolean {
  let low = 0;
  let high = hashes.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((hashes[middle] ?? 0) < hash) low = middle + 1;
    else high = middle;
  }
  return hashes[low] === hash;
}
