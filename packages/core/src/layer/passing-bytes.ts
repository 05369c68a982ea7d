import type { ByteParts } from "../bytes/byte-parts.ts";
import type { Scratch, ScratchContent } from "../ports.ts";
import { ScratchBytes, scratchFromBytes } from "./scratch-bytes.ts";

/** The first memory that is taken; most contents have room in it. */
const firstBytes = 1024 ** 2;

/** A content on its way. */
export interface Gathering {
  /** Takes the next bytes; does not keep them. */
  take(bytes: Uint8Array): void;
  /** What was gathered, once all of it has come; good until the next gathering begins. */
  readonly whole: ByteParts | undefined;
}

/**
 * Gathers one content after the other, each of which is looked at once and thrown away: all share the same memory, and large
 * ones the same place outside it.
 */
export class PassingBytes {
  readonly #scratch: Scratch;
  #shared = new ArrayBuffer(0);
  #outside: ScratchContent | undefined;

  constructor(scratch: Scratch = { begin: () => undefined }) {
    this.#scratch = scratch;
  }

  /** Begins the next one. */
  begin(sizeBytes: number): Gathering {
    if (sizeBytes >= scratchFromBytes) return new ScratchBytes(this.#cleared(), sizeBytes);
    if (this.#shared.byteLength < sizeBytes) this.#shared = new ArrayBuffer(roomFor(sizeBytes));
    return new SharedBytes(new Uint8Array(this.#shared, 0, sizeBytes));
  }

  #cleared(): ScratchContent | undefined {
    this.#outside ??= this.#scratch.begin();
    this.#outside?.clear();
    return this.#outside;
  }
}

/** A power of two: memory that grows in place would be slower to read, and some platforms refuse to decode text in it. */
function roomFor(sizeBytes: number): number {
  return Math.max(firstBytes, 2 ** Math.ceil(Math.log2(sizeBytes)));
}

class SharedBytes implements Gathering {
  readonly #bytes: Uint8Array;
  #filled = 0;

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes;
  }

  take(bytes: Uint8Array): void {
    this.#bytes.set(bytes, this.#filled);
    this.#filled += bytes.length;
  }

  get whole(): ByteParts | undefined {
    return this.#filled === this.#bytes.length ? this.#bytes : undefined;
  }
}
