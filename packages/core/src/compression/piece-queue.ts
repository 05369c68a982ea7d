import type { Bytes } from "../bytes/bytes.ts";

/** A queue of chunks of a stream, for a synchronous decoder. */
export class PieceQueue {
  readonly #source: AsyncIterator<Uint8Array>;
  readonly #pieces: Uint8Array[] = [];
  #waitingBytes = 0;
  #receivedBytes = 0;
  #hasEnded = false;

  constructor(source: Bytes) {
    this.#source = source[Symbol.asyncIterator]();
  }

  /** The number of bytes read from the stream. */
  get receivedBytes(): number {
    return this.#receivedBytes;
  }

  /** Reads chunks until at least `count` bytes are waiting, or the stream ends. */
  async fill(count: number): Promise<void> {
    while (!this.#hasEnded && this.#waitingBytes < count) {
      const { done, value } = await this.#source.next();
      if (done) this.#hasEnded = true;
      else if (value.length > 0) this.#add(value.slice()); // the source reuses its buffer
    }
  }

  #add(piece: Uint8Array): void {
    this.#pieces.push(piece);
    this.#waitingBytes += piece.length;
    this.#receivedBytes += piece.length;
  }

  /** Removes and returns the next chunk. @throws Error when none is waiting */
  take(): Uint8Array {
    const piece = this.#pieces.shift();
    if (piece === undefined) throw new Error("the compressed bytes end too early");
    this.#waitingBytes -= piece.length;
    return piece;
  }

  /** Releases the source. */
  async close(): Promise<void> {
    if (!this.#hasEnded) await this.#source.return?.();
  }
}
