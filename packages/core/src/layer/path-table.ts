import { ScanError } from "../errors.ts";
import type { PathSet } from "./layer-contents.ts";
import { pathSetOf } from "./path-set.ts";

/** The kind of a path. */
export type PathKind = "folder" | "leaf";

const kinds = { leaf: 1, folder: 2 } as const;
const initialSlots = 1024;

/**
 * The kinds of paths by their hashes. A hash table of plain numbers: a path takes 18 to 36 bytes, whatever its length, and no object.
 */
export class PathTable {
  readonly #maxPaths: number;
  #hashes = new Float64Array(initialSlots);
  /** 0 where the slot is free. */
  #kinds = new Uint8Array(initialSlots);
  #size = 0;

  /** @param maxPaths the limit `maxEntries` */
  constructor(maxPaths: number) {
    this.#maxPaths = maxPaths;
  }

  /** The last kind that was set; undefined for an unknown path. */
  get(hash: number): PathKind | undefined {
    const kind = this.#kinds[this.#slotOf(hash)];
    if (kind === kinds.leaf) return "leaf";
    return kind === kinds.folder ? "folder" : undefined;
  }

  /** Sets the kind of a path. @throws ScanError `entry_limit` when there are too many paths */
  set(hash: number, kind: PathKind): void {
    const slot = this.#slotOf(hash);
    if (this.#kinds[slot] === 0) {
      if (++this.#size > this.#maxPaths) throw tooMany(this.#maxPaths);
      this.#hashes[slot] = hash;
    }
    this.#kinds[slot] = kinds[kind];
    if (this.#size * 2 > this.#kinds.length) this.#grow();
  }

  /** The paths of one kind. */
  paths(kind: PathKind): PathSet {
    const found = new Float64Array(this.#size);
    let count = 0;
    for (let slot = 0; slot < this.#kinds.length; slot++) {
      if (this.#kinds[slot] === kinds[kind]) found[count++] = this.#hashes[slot] ?? 0;
    }
    return pathSetOf(found.slice(0, count));
  }

  /** The slot of a hash, or the free slot where it belongs. */
  #slotOf(hash: number): number {
    const mask = this.#kinds.length - 1;
    let slot = hash & mask; // its low bits
    while (this.#kinds[slot] !== 0 && this.#hashes[slot] !== hash) slot = (slot + 1) & mask;
    return slot;
  }

  #grow(): void {
    const [hashes, states] = [this.#hashes, this.#kinds];
    this.#hashes = new Float64Array(2 * hashes.length);
    this.#kinds = new Uint8Array(2 * states.length);
    for (let from = 0; from < states.length; from++) {
      const state = states[from] ?? 0;
      if (state === 0) continue;
      const slot = this.#slotOf(hashes[from] ?? 0);
      this.#hashes[slot] = hashes[from] ?? 0;
      this.#kinds[slot] = state;
    }
  }
}

function tooMany(maxPaths: number): ScanError {
  const message = `the layer has more than maxEntries, ${maxPaths} paths; folders without an entry of their own count as well`;
  return new ScanError("entry_limit", message);
}
