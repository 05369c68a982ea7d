import type { Bytes } from "../bytes/bytes.ts";
import { ScanError } from "../errors.ts";
import { type Digest, type DigestAlgorithm, digestAlgorithm, parseDigest } from "../model/digest.ts";
import type { Hasher } from "../ports.ts";
import type { TarVisitor } from "../tar/entry.ts";
import { TarWalker } from "../tar/walk.ts";
import type { LayerContents, ReadLayerOptions } from "./layer-contents.ts";
import { type Compression, sniff } from "./sniff.ts";

/** The sizes of a layer that was read, and the digests that were compared or computed. */
type StreamedLayer = Pick<LayerContents, "sizeBytes" | "uncompressedBytes" | "digest" | "diffId">;

/** Codes of errors that a damaged or wrong blob causes in decompression and the tar reader. */
const damageCodes: ReadonlySet<string> = new Set(["layer_corrupt", "layer_truncated", "malformed_archive"]);

/**
 * Streams a layer once through a visitor and checks the expected digests and size. When the content is damaged and the blob
 * is not the expected one, the error reports the wrong blob, provided that its size was given.
 * @throws ScanError
 */
export async function streamLayer(options: ReadLayerOptions, visitor: TarVisitor): Promise<StreamedLayer> {
  const source = new CheckedSource(options);
  try {
    const { uncompressedBytes, ...walked } = await walkLayer(source, options, visitor);
    const digest = await source.finish();
    const diffId = walked.isStored ? digest : walked.diffId;
    checkDigest("uncompressed layer", options.expected.diffId, diffId);
    const found = { digest, diffId };
    return { sizeBytes: source.sizeBytes, uncompressedBytes, ...found };
  } catch (error) {
    const mayBeWrongBlob = options.expected.sizeBytes !== undefined && isDamage(error); // the size limits the rest to read
    if (mayBeWrongBlob) await source.finish();
    throw error;
  } finally {
    await source.close();
  }
}

/** Streams a layer that was read before: where its own digest is checked, that of its content need not be, since it was. @throws ScanError */
export async function streamLayerAgain(options: ReadLayerOptions, visitor: TarVisitor): Promise<StreamedLayer> {
  const { diffId, ...expected } = options.expected;
  const { computes, ...again } = options;
  return streamLayer(expected.digest === undefined ? again : { ...again, expected }, visitor);
}

/** Whether a decoder found damaged or truncated data. */
export function isDamage(error: unknown): error is ScanError {
  return error instanceof ScanError && damageCodes.has(error.code);
}

interface WalkedLayer {
  readonly uncompressedBytes: number;
  /** Whether the digest of the uncompressed bytes is wanted, and that of the layer itself. */
  readonly isStored: boolean;
  /** The digest of the uncompressed bytes where it was computed from them. */
  readonly diffId: Digest | undefined;
}

async function walkLayer(source: CheckedSource, options: ReadLayerOptions, visitor: TarVisitor): Promise<WalkedLayer> {
  const walker = new TarWalker(visitor, options.limits);
  const { compression, bytes } = await sniff(source);
  const { diffId } = options.expected;
  const algorithm = diffId === undefined ? options.computes?.diffId : digestAlgorithm(diffId);
  const isStored = compression === "none" && algorithm !== undefined && algorithm === source.hashedBy;
  const hasher = algorithm !== undefined && !isStored ? options.createHasher(algorithm) : undefined;
  let uncompressedBytes = 0;
  for await (const chunk of decompress(bytes, compression, options)) {
    checkAborted(options.signal);
    uncompressedBytes += chunk.length;
    checkSize(uncompressedBytes, source.sizeBytes, options);
    hasher?.update(chunk);
    walker.write(chunk);
  }
  walker.end();
  return { uncompressedBytes, isStored, diffId: hasher && parseDigest(`${algorithm}:${hasher.hex()}`) };
}

function decompress(bytes: Bytes, compression: Compression, { decompressors, expected }: ReadLayerOptions): Bytes {
  if (compression === "none") return bytes;
  if (compression === "bzip2" || compression === "xz")
    throw new ScanError("unsupported_compression", `expected gzip, zstd or plain tar, found ${compression}`);
  const { sizeBytes, diffId } = expected;
  const known = { sizeBytes, isVerified: diffId !== undefined };
  const decompressor = decompressors[compression];
  if (decompressor !== undefined) return decompressor(bytes, known);
  throw new ScanError("unsupported_compression", `no decompressor for ${compression} on this platform`);
}

function checkSize(uncompressedBytes: number, compressedBytes: number, { limits }: ReadLayerOptions): void {
  const { maxLayerBytes, maxRatio, ratioFromBytes } = limits;
  if (uncompressedBytes > maxLayerBytes) {
    throw new ScanError("layer_too_large", `more than maxLayerBytes, ${maxLayerBytes} bytes, uncompressed`);
  }
  if (uncompressedBytes > ratioFromBytes && uncompressedBytes > maxRatio * compressedBytes) {
    const found = `${uncompressedBytes} bytes from ${compressedBytes}`;
    throw new ScanError("layer_ratio", `${found}, more than maxRatio, ${maxRatio} times`);
  }
}

/**
 * The bytes of a blob, counted and hashed while they are read. A reader may stop early; `finish` then reads the rest,
 * because the digest covers all bytes.
 */
class CheckedSource implements AsyncIterable<Uint8Array> {
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
function checkDigest(what: string, expected: Digest | undefined, found: Digest | undefined): void {
  if (expected === undefined || found === expected) return;
  throw new ScanError("digest_mismatch", `${what}: expected ${expected}, found ${found}`);
}

function startIterating(bytes: Bytes): AsyncIterator<Uint8Array> {
  return bytes[Symbol.asyncIterator]();
}

/** @throws ScanError `aborted` when the caller has cancelled */
function checkAborted(signal: AbortSignal | undefined): void {
  if (signal?.aborted) throw new ScanError("aborted", "reading the layer was cancelled", { cause: signal.reason });
}
