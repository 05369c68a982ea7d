/** A body that can be read from any position, so that it need not be open while its client does not read. */
export interface ResumableBody {
  /** The bytes from a position on. */
  from(position: number): AsyncIterable<Uint8Array>;
}

/** The bytes of a body to send. Its chunks may share memory: each is used before the next one is requested. */
export type SentBody = AsyncIterable<Uint8Array> | ResumableBody;

/**
 * Reads a body and owns its iterator: `close` returns it, once, whatever has happened. A {@link ResumableBody} can be parked: it is closed, and
 * opened again at its position when the next chunk is wanted.
 */
export class BodyReader {
  readonly #body: SentBody;
  #chunks: AsyncIterator<Uint8Array> | undefined;
  #isOver = false;
  #passedBytes = 0;
  #closing: Promise<unknown> | undefined;

  constructor(body: SentBody) {
    this.#body = body;
  }

  /** How many bytes were read. */
  get passedBytes(): number {
    return this.#passedBytes;
  }

  /** The next chunk; undefined at the end. @throws errors of the body */
  async next(): Promise<Uint8Array | undefined> {
    await this.#closing;
    if (this.#isOver) return undefined;
    this.#chunks ??= this.#open();
    try {
      const { done, value } = await this.#chunks.next();
      if (done) return this.#end();
      this.#passedBytes += value.length;
      return value;
    } catch (error) {
      this.#end();
      throw error;
    }
  }

  /** Closes a resumable body for a while. The caller must not be waiting for a chunk. @returns whether it was open and is closed now */
  park(): boolean {
    if (!("from" in this.#body) || this.#chunks === undefined) return false;
    this.#return();
    return true;
  }

  /** Closes the body. @throws errors of closing it */
  async close(): Promise<void> {
    if (!this.#isOver && !("from" in this.#body)) this.#chunks ??= this.#open(); // so that an unread body is returned, too
    this.#isOver = true;
    this.#return();
    await this.#closing;
  }

  #open(): AsyncIterator<Uint8Array> {
    const body = "from" in this.#body ? this.#body.from(this.#passedBytes) : this.#body;
    return body[Symbol.asyncIterator]();
  }

  #return(): void {
    const chunks = this.#chunks;
    this.#chunks = undefined;
    if (chunks === undefined) return;
    this.#closing = Promise.resolve(chunks.return?.());
    this.#closing.catch(() => {}); // whoever waits for it next gets the error
  }

  #end(): undefined {
    this.#isOver = true;
    this.#chunks = undefined;
  }
}
