/**
 * A 53-bit hash of a path, made of two 32-bit multiply-and-mix lanes over its UTF-16 units. It can be extended, so that
 * one pass over a path gives the hashes of all folders above it. The probability of any collision among two million paths
 * is about 1 : 4500.
 */
export interface PathHash {
  readonly a: number;
  readonly b: number;
}

/** The hash of the root, whose path is empty. */
export const rootHash: PathHash = { a: 0x51ed270b, b: 0x2c1b3c6d };

/** The hash of a path followed by more text. */
export function extendHash(hash: PathHash, text: string): PathHash {
  let { a, b } = hash;
  for (let index = 0; index < text.length; index++) {
    const unit = text.charCodeAt(index);
    a = Math.imul(a ^ unit, 0x9e3779b1);
    b = Math.imul(b ^ unit, 0x5f356495) ^ (b >>> 15);
  }
  return { a, b };
}

/** The hash as a whole number below 2^53. */
export function hashNumber({ a, b }: PathHash): number {
  const high = mix(a ^ (b >>> 13), 0x85ebca6b) & 0x1fffff;
  const low = mix(b ^ (a >>> 16), 0xc2b2ae35) >>> 0;
  return high * 2 ** 32 + low;
}

/**
 * The hash of one path as a number.
 * @example
 * pathSetOf(Float64Array.of(hashPath("etc/os-release"))).has("etc/os-release"); // true
 */
export function hashPath(path: string): number {
  return hashNumber(extendHash(rootHash, path));
}

/** The hashes of the folders above a path, topmost first, the root left out. */
export function hashFolders(path: string): number[] {
  const hashes: number[] = [];
  let hash = rootHash;
  let start = 0;
  for (let end = path.indexOf("/"); end >= 0; end = path.indexOf("/", end + 1)) {
    hash = extendHash(hash, path.slice(start, end));
    hashes.push(hashNumber(hash));
    start = end;
  }
  return hashes;
}

function mix(value: number, multiplier: number): number {
  const mixed = Math.imul(value ^ (value >>> 16), multiplier);
  return mixed ^ (mixed >>> 13);
}
