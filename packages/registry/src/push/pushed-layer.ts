import type { Bytes } from "@plimsoll/core";
import type { Digest } from "@plimsoll/core/digest";
import type { BlobStore } from "../ports/blob-store.ts";

/** An upload that a reader can read. */
export interface ReadableUpload {
  /**
   * The bytes from the beginning: at the first call as they arrive from the client, later from the store. Throws if the upload will not
   * become a blob. The caller must be done with a chunk when it requests the next one.
   */
  open(): Bytes;
  /** The verified digest, once all bytes are stored. */
  readonly digest: Promise<Digest>;
}

/** A blob in the store. */
export interface StoredBlob {
  readonly digest: Digest;
  readonly sizeBytes: number;
}

/**
 * An upload whose bytes also go to a reader on their way to the store, as long as the reader is fast enough. The reader gets the rest
 * from the store as soon as the blob is stored.
 */
export class PushedLayer implements ReadableUpload {
  /** Whether a request is adding bytes to it. */
  isActive = false;
  /** Whether it has become a blob. */
  isStored = false;
  readonly digest: Promise<Digest>;
  readonly #blobs: Pick<BlobStore, "read">;
  readonly #queue: ByteQueue;
  readonly #stored = Promise.withResolvers<StoredBlob>();
  #passedBytes = 0;
  #isPassing = true;
  #isOpened = false;
  #isAbandoned = false;

  /** @param memory the buffer for bytes that wait for the reader */
  constructor(blobs: Pick<BlobStore, "read">, memory: Uint8Array) {
    this.#blobs = blobs;
    this.#queue = new ByteQueue(memory);
    this.digest = this.#stored.promise.then(({ digest }) => digest);
    this.digest.catch(() => {}); // callers that await it get the error; without this, it would be an unhandled rejection if none does
  }

  /** How many bytes were passed to the reader, so that it need not read them from the store. */
  get passedBytes(): number {
    return this.#passedBytes;
  }

  /** Passes the next bytes to the reader. After bytes that do not fit, no further bytes are passed. */
  pass(chunk: Uint8Array): void {
    if (!this.#isPassing) return;
    const accepted = this.#queue.offer(chunk);
    this.#passedBytes += accepted;
    if (accepted < chunk.length) this.stop();
  }

  /** Stops passing bytes to the reader: it reads the rest from the store. */
  stop(): void {
    this.#isPassing = false;
    this.#queue.end();
  }

  /** Called when the upload has become a blob. */
  commit(blob: StoredBlob): void {
    this.isStored = true;
    this.#stored.resolve(blob);
    this.stop();
  }

  /** Ends the reading of this upload. */
  abandon(): void {
    this.#isAbandoned = true;
    this.#stored.reject(abandoned());
    this.stop();
  }

  /** Returns the buffer once its reader is done; undefined before that, and if it was returned already. */
  release(): Uint8Array | undefined {
    this.#isPassing = false;
    return this.#queue.release();
  }

  async *open(): Bytes {
    const isFirst = !this.#isOpened;
    this.#isOpened = true;
    for await (const chunk of isFirst ? this.#passing() : this.#fromStore(0)) {
      if (this.#isAbandoned) throw abandoned();
      yield chunk;
    }
  }

  async *#passing(): Bytes {
    yield* this.#queue.read();
    yield* this.#fromStore(this.#passedBytes);
  }

  async *#fromStore(first: number): Bytes {
    const { digest, sizeBytes } = await this.#stored.promise;
    if (first > sizeBytes) throw new Error(`${first} bytes were skipped of a blob of ${sizeBytes} bytes`);
    if (first < sizeBytes) yield* this.#blobs.read(digest, { first, last: sizeBytes - 1 }, { use: "once" });
  }
}

function abandoned(): Error {
  return new Error("the reader of the upload has ended");
}

/** The largest chunk of the reader. It is smaller than the queue, so that room is free again before all waiting bytes are read. */
const mostBytes = 512 * 1024;

/**
 * A buffer of fixed size between a writer and one reader that may be slower. It does not accept bytes that do not fit, and allocates
 * nothing.
 */
export class ByteQueue {
  #memory: Uint8Array;
  /** The position of the first waiting byte. */
  #first = 0;
  /** How many bytes wait, including those that are being read. */
  #waiting = 0;
  #isEnded = false;
  /** Whether the reader may still use a chunk. */
  #isLent = false;
  #wake = Promise.withResolvers<void>();

  constructor(memory: Uint8Array) {
    this.#memory = memory;
  }

  /** Copies as many bytes as fit. @returns how many bytes were copied, from the beginning of the chunk */
  offer(chunk: Uint8Array): number {
    const size = this.#memory.length;
    const accepted = Math.min(chunk.length, size - this.#waiting);
    const at = (this.#first + this.#waiting) % size;
    const untilEnd = Math.min(accepted, size - at);
    this.#memory.set(chunk.subarray(0, untilEnd), at);
    this.#memory.set(chunk.subarray(untilEnd, accepted), 0);
    this.#waiting += accepted;
    this.#wake.resolve();
    return accepted;
  }

  /** Marks the end of the bytes. */
  end(): void {
    this.#isEnded = true;
    this.#wake.resolve();
  }

  /**
   * Ends the queue and returns its memory for another one; waiting bytes are dropped. Undefined while the reader may still use a
   * chunk, and when the memory was returned already.
   */
  release(): Uint8Array | undefined {
    this.end();
    if (this.#isLent || this.#memory.length === 0) return undefined;
    const memory = this.#memory;
    this.#memory = new Uint8Array(0);
    this.#waiting = 0;
    return memory;
  }

  /** The bytes, for one reader: it must be done with each chunk when it requests the next one. */
  async *read(): AsyncIterable<Uint8Array> {
    for (;;) {
      while (this.#waiting === 0 && !this.#isEnded) await this.#woken();
      if (this.#waiting === 0) return;
      const bytes = Math.min(this.#waiting, this.#memory.length - this.#first, mostBytes);
      this.#isLent = true;
      try {
        yield this.#memory.subarray(this.#first, this.#first + bytes);
      } finally {
        this.#isLent = false;
      }
      this.#first = (this.#first + bytes) % this.#memory.length;
      this.#waiting -= bytes;
    }
  }

  async #woken(): Promise<void> {
    await this.#wake.promise;
    this.#wake = Promise.withResolvers();
  }
}
