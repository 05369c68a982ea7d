import type { Bytes } from "../bytes/bytes.ts";
import { ScanError } from "../errors.ts";
import { digestAlgorithm } from "../model/digest.ts";
import type { Hasher } from "../ports.ts";
import type { TarVisitor } from "../tar/entry.ts";
import { TarWalker } from "../tar/walk.ts";
import { CheckedSource, checkAborted, checkDigest } from "./checked-source.ts";
import type { ReadLayerOptions } from "./layer-contents.ts";
import { type Compression, sniff } from "./sniff.ts";

/** The sizes of a layer that was read. */
export interface StreamedLayer {
  readonly sizeBytes: number;
  readonly uncompressedBytes: number;
}

/** Codes of errors that a damaged or wrong blob causes in decompression and the tar reader. */
const damageCodes: ReadonlySet<string> = new Set(["layer_corrupt", "layer_truncated", "malformed_archive"]);

/**
 * Streams a layer once through a visitor and checks the expected digests and size. When the content is damaged and the blob
 * is not the expected one, the error reports the wrong blob, provided that its size was given.
 * @throws ScanError
 */
export async function streamLayer(options: ReadLayerOptions, visitor: TarVisitor): Promise<StreamedLayer> {
  const { diffId } = options.expected;
  const hasher = diffId && options.createHasher(digestAlgorithm(diffId));
  const source = new CheckedSource(options);
  try {
    const uncompressedBytes = await walkLayer(source, options, { visitor, hasher });
    await source.finish();
    if (hasher !== undefined && diffId !== undefined) checkDigest("uncompressed layer", diffId, hasher);
    return { sizeBytes: source.sizeBytes, uncompressedBytes };
  } catch (error) {
    const mayBeWrongBlob = options.expected.sizeBytes !== undefined && isDamage(error); // the size limits the rest to read
    if (mayBeWrongBlob) await source.finish();
    throw error;
  } finally {
    await source.close();
  }
}

function isDamage(error: unknown): boolean {
  return error instanceof ScanError && damageCodes.has(error.code);
}

/** Consumers of the uncompressed bytes. */
interface Receivers {
  readonly visitor: TarVisitor;
  readonly hasher: Hasher | undefined;
}

async function walkLayer(source: CheckedSource, options: ReadLayerOptions, to: Receivers): Promise<number> {
  const walker = new TarWalker(to.visitor, options.limits);
  const { compression, bytes } = await sniff(source);
  let uncompressedBytes = 0;
  for await (const chunk of decompress(bytes, compression, options)) {
    checkAborted(options.signal);
    uncompressedBytes += chunk.length;
    checkSize(uncompressedBytes, source.sizeBytes, options);
    to.hasher?.update(chunk);
    walker.write(chunk);
  }
  walker.end();
  return uncompressedBytes;
}

function decompress(bytes: Bytes, compression: Compression, { decompressors, expected }: ReadLayerOptions): Bytes {
  if (compression === "none") return bytes;
  const { sizeBytes, diffId } = expected;
  const known = { ...(sizeBytes !== undefined && { sizeBytes }), isVerified: diffId !== undefined };
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
