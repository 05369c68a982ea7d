import type { Bytes } from "../bytes/bytes.ts";
import { ScanError } from "../errors.ts";
import { type Digest, type DigestAlgorithm, digestAlgorithm, parseDigest } from "../model/digest.ts";
import type { Hasher } from "../ports.ts";
import type { ReadLayerOptions } from "./layer-contents.ts";

/**
 * The bytes of a blob, counted and hashed while they are read. A reader may stop early; `finish` then reads the rest,
 * because the digest covers all bytes.
 */
export class CheckedSource implements AsyncIterable<Uint8Array> {
  sizeBytes = 0;
  /** The algorithm of the digest that is compared or computed. */
  readonly hashedBy: DigestAlgorithm | undefined;
  readonly #options: ReadLayerOptions;
  readonly #iterator: AsyncIterator<Uint8Array>;
  readonly #hasher: Hasher | undefined;
  #isAtEnd = false;

  constructor(options: ReadLayerOptions) {
    this.#options = options;
    const { digest } = options.expected;
    this.hashedBy = digest === undefined ? options.computes?.digest : digestAlgorithm(digest);
    this.#hasher = this.hashedBy && options.createHasher(this.hashedBy);
    this.#iterator = startIterating(options.open());
  }

  /** All iterators share one pass over the bytes. Leaving an iterator does not end the pass. */
  [Symbol.asyncIterator](): AsyncIterator<Uint8Array> {
    return { next: () => this.#next() };
  }

  /**
   * Reads the remaining bytes and compares size and digest.
   * @returns the digest; undefined where none is expected and none is computed
   * @throws ScanError `size_mismatch`, `digest_mismatch`
   */
  async finish(): Promise<Digest | undefined> {
    while (!this.#isAtEnd) await this.#next();
    const { digest, sizeBytes } = this.#options.expected;
    if (sizeBytes !== undefined && this.sizeBytes < sizeBytes) throw this.#sizeMismatch(`${this.sizeBytes}`);
    if (this.#hasher === undefined || this.hashedBy === undefined) return undefined;
    const found = parseDigest(`${this.hashedBy}:${this.#hasher.hex()}`);
    checkDigest("layer", digest, found);
    return found;
  }

  /** Releases the source. */
  async close(): Promise<void> {
    if (!this.#isAtEnd) await this.#iterator.return?.();
  }

  async #next(): Promise<IteratorResult<Uint8Array>> {
    checkAborted(this.#options.signal);
    const result = await this.#iterator.next();
    if (result.done) this.#isAtEnd = true;
    else this.#count(result.value);
    return result;
  }

  #count(chunk: Uint8Array): void {
    this.sizeBytes += chunk.length;
    const { expected, limits } = this.#options;
    if (expected.sizeBytes !== undefined && this.sizeBytes > expected.sizeBytes) throw this.#sizeMismatch("more");
    if (this.sizeBytes > limits.maxLayerBytes) {
      throw new ScanError("layer_too_large", `the layer has more than maxLayerBytes, ${limits.maxLayerBytes} bytes`);
    }
    this.#hasher?.update(chunk);
  }

  #sizeMismatch(found: string): ScanError {
    const { digest, sizeBytes } = this.#options.expected;
    const name = digest === undefined ? "" : ` ${digest}`;
    return new ScanError("size_mismatch", `layer${name}: expected ${sizeBytes} bytes, found ${found}`);
  }
}

/** Compares a digest with the expected one, if there is one. @throws ScanError `digest_mismatch` */
export function checkDigest(what: string, expected: Digest | undefined, found: Digest | undefined): void {
  if (expected === undefined || found === expected) return;
  throw new ScanError("digest_mismatch", `${what}: expected ${expected}, found ${found}`);
}

function startIterating(bytes: Bytes): AsyncIterator<Uint8Array> {
  return bytes[Symbol.asyncIterator]();
}

/** @throws ScanError `aborted` when the caller has cancelled */
export function checkAborted(signal: AbortSignal | undefined): void {
  if (signal?.aborted) throw new ScanError("aborted", "reading the layer was cancelled", { cause: signal.reason });
}
