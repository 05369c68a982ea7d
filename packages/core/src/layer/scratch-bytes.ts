import { type ByteParts, piecesOf } from "../bytes/byte-parts.ts";
import type { ScratchContent } from "../ports.ts";
import { Collector } from "../tar/collector.ts";

/** Contents of at least this many bytes are kept outside memory, on platforms that can. */
export const scratchFromBytes = 32 * 1024 ** 2;

/** Collects a large content outside memory, or in memory once there is no room outside. */
export class ScratchBytes {
  readonly #sizeBytes: number;
  #content: ScratchContent | undefined;
  #inMemory: Collector | undefined;
  #filled = 0;

  /** @param content an empty content outside memory; undefined where there is no room */
  constructor(content: ScratchContent | undefined, sizeBytes: number) {
    this.#sizeBytes = sizeBytes;
    this.#content = content;
    if (this.#content === undefined) this.#inMemory = new Collector(sizeBytes);
  }

  /** Copies the next bytes. */
  take(bytes: Uint8Array): void {
    this.#filled += bytes.length;
    if (this.#inMemory !== undefined) this.#inMemory.take(bytes, 0);
    else if (this.#content?.append(bytes) === false) this.#inMemory = this.#moveToMemory(this.#content, bytes);
  }

  /** The content, once all of it has arrived. */
  get whole(): ByteParts | undefined {
    return this.#filled === this.#sizeBytes ? (this.#inMemory?.bytes ?? this.#content) : undefined;
  }

  #moveToMemory(content: ScratchContent, next: Uint8Array): Collector {
    const collector = new Collector(this.#sizeBytes);
    for (const piece of piecesOf(content)) collector.take(piece, 0);
    collector.take(next, 0);
    this.#content = undefined;
    return collector;
  }
}
