import type { Digest } from "@plimsoll/core";
import type { ArrivingBlob } from "../distribution/pull-through.ts";
import type { BlobStore } from "../ports/blob-store.ts";

/** How many bytes a client may be behind: it then waits until the blob is here, and reads the rest from the store. */
const mostBehindBytes = 4 * 1024 * 1024;

/** A blob that is read while it is brought in. */
export class StreamedBlob implements ArrivingBlob {
  readonly digest: Digest;
  readonly sizeBytes: number;
  readonly #blobs: Pick<BlobStore, "read">;
  readonly #readers = new Set<Reader>();
  #passedBytes = 0;
  #arrival: Promise<void> = Promise.resolve();

  constructor(blobs: Pick<BlobStore, "read">, { digest, sizeBytes }: Pick<ArrivingBlob, "digest" | "sizeBytes">) {
    this.#blobs = blobs;
    this.digest = digest;
    this.sizeBytes = sizeBytes;
  }

  /** Ends with its arrival, which checks the digest. */
  follow(arrival: Promise<void>): void {
    this.#arrival = arrival;
    const end = () => {
      for (const reader of this.#readers) reader.leave();
    };
    arrival.then(end, end);
  }

  /** Shows bytes to those who read from the beginning on. */
  pass(chunk: Uint8Array): void {
    this.#passedBytes += chunk.length;
    for (const reader of this.#readers) reader.push(chunk);
  }

  arrive(): Promise<void> {
    return this.#arrival;
  }

  /** The last chunk is not passed on before the digest of all is right: a client never has the whole of what is wrong. */
  async *read(): AsyncIterable<Uint8Array> {
    const reader = new Reader({ fromBeginning: this.#passedBytes === 0 });
    this.#readers.add(reader);
    let sentBytes = 0;
    try {
      for (let chunk = await reader.next(); chunk !== undefined; chunk = await reader.next()) {
        if (sentBytes + chunk.length >= this.sizeBytes) break;
        sentBytes += chunk.length;
        yield chunk;
      }
    } finally {
      reader.leave();
      this.#readers.delete(reader);
    }
    await this.#arrival;
    if (sentBytes === this.sizeBytes) return;
    yield* this.#blobs.read(this.digest, { first: sentBytes, last: this.sizeBytes - 1 }, "once");
  }
}

/** The bytes that one client has not taken yet. */
class Reader {
  readonly #chunks: Uint8Array[] = [];
  #bytes = 0;
  #isOver: boolean;
  #wake: () => void = () => {};

  /** @param fromBeginning whether it is there before the first byte */
  constructor({ fromBeginning }: { readonly fromBeginning: boolean }) {
    this.#isOver = !fromBeginning;
  }

  push(chunk: Uint8Array): void {
    if (this.#isOver) return;
    this.#chunks.push(chunk);
    this.#bytes += chunk.length;
    if (this.#bytes > mostBehindBytes) this.leave();
    this.#wake();
  }

  /** Takes no more: what it has is still read. */
  leave(): void {
    this.#isOver = true;
    this.#wake();
  }

  /** The next bytes; undefined where no more come. */
  async next(): Promise<Uint8Array | undefined> {
    while (this.#chunks.length === 0 && !this.#isOver) {
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
    }
    const chunk = this.#chunks.shift();
    this.#bytes -= chunk?.length ?? 0;
    return chunk;
  }
}
