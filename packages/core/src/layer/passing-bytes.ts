import type { ByteParts } from "../bytes/byte-parts.ts";
import type { Scratch, ScratchContent } from "../ports.ts";
import { ScratchBytes, scratchFromBytes } from "./scratch-bytes.ts";

/** The size of the first shared memory; most contents fit into it. */
const firstBytes = 1024 ** 2;

/** Collects one content from its parts. */
export interface ContentCollector {
  /** Copies the next bytes. */
  take(bytes: Uint8Array): void;
  /** The content, once all of it has arrived; valid until the next collection begins. */
  readonly whole: ByteParts | undefined;
}

/** Counts a content that is stored elsewhere, where it is read once all of it has passed. */
export function storedContent(content: ByteParts): ContentCollector {
  let passed = 0;
  return {
    take(bytes) {
      passed += bytes.length;
    },
    get whole() {
      return passed === content.length ? content : undefined;
    },
  };
}

/**
 * Collects contents that are inspected once and then discarded, one after the other. All share the same memory, and large
 * ones the same room outside memory.
 */
export class PassingBytes {
  readonly #scratch: Scratch;
  #shared = new ArrayBuffer(0);
  #outside: ScratchContent | undefined;

  constructor(scratch: Scratch = { begin: () => undefined }) {
    this.#scratch = scratch;
  }

  /** Begins the next content. */
  begin(sizeBytes: number): ContentCollector {
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

/** A power of two of bytes. A resizable buffer would be slower to read, and some platforms cannot decode text in one. */
function roomFor(sizeBytes: number): number {
  return Math.max(firstBytes, 2 ** Math.ceil(Math.log2(sizeBytes)));
}

class SharedBytes implements ContentCollector {
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
