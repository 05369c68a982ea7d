import type { Bytes } from "../../bytes/bytes.ts";

/** Chunks of a stream that are brought in before a decoder that cannot wait takes them. */
export class PieceQueue {
  readonly #source: AsyncIterator<Uint8Array>;
  readonly #pieces: Uint8Array[] = [];
  #waitingBytes = 0;
  #receivedBytes = 0;
  #hasEnded = false;

  constructor(source: Bytes) {
    this.#source = source[Symbol.asyncIterator]();
  }

  /** Bytes of the stream that were brought in. */
  get receivedBytes(): number {
    return this.#receivedBytes;
  }

  /** Brings chunks in until at least `count` bytes wait, or the stream ends. */
  async fill(count: number): Promise<void> {
    while (!this.#hasEnded && this.#waitingBytes < count) {
      const { done, value } = await this.#source.next();
      if (done) this.#hasEnded = true;
      else if (value.length > 0) this.#add(value.slice()); // its buffer is used again
    }
  }

  #add(piece: Uint8Array): void {
    this.#pieces.push(piece);
    this.#waitingBytes += piece.length;
    this.#receivedBytes += piece.length;
  }

  /** The next chunk. @throws Error where none waits */
  take(): Uint8Array {
    const piece = this.#pieces.shift();
    if (piece === undefined) throw new Error("the compressed bytes end too early");
    this.#waitingBytes -= piece.length;
    return piece;
  }

  /** Lets the source go. */
  async close(): Promise<void> {
    if (!this.#hasEnded) await this.#source.return?.();
  }
}
