import { createHash } from "node:crypto";
import { gunzipSync, zstdDecompressSync } from "node:zlib";
import { type Bytes, defaultLimits, type Limits, ScanError } from "@plimsoll/core";
import { type Digest, parseDigest } from "@plimsoll/core/digest";
import { type Decompressors, hasValidChecksum, isZeroBlock, withoutUndefined } from "@plimsoll/core/internal";

/** A layer as image sources pass it to their reader. */
export interface LayerToRead {
  open(): Bytes;
  readonly reopens: boolean;
  readonly expected: { readonly digest?: Digest; readonly sizeBytes?: number; readonly diffId?: Digest };
}

/** The record of a layer, as text. */
export interface RecordRead {
  readonly digest: Digest;
  readonly uncompressedBytes: number;
  readonly pieces: readonly string[];
}

/** The result of reading a layer. */
export interface LayerRead {
  readonly record: RecordRead;
  readonly digest: Digest;
  readonly sizeBytes: number;
  readonly diffId: Digest;
}

/** What image sources need of an indexer, without detectors: layers are only checked, folders are not even read. */
export interface LayerChecking {
  readonly readLayer: (layer: LayerToRead) => Promise<LayerRead>;
  readonly readFolder: (folder: string) => Promise<RecordRead>;
  readonly readTogether: (files: { readonly digest: Digest }) => Promise<RecordRead>;
  readonly decompressors: Decompressors;
  readonly limits: Limits;
}

/** Creates one. Limits that are not given have their defaults. */
export function layerChecking(limits: Partial<Limits> = {}): LayerChecking {
  return {
    readLayer: checkLayer,
    readFolder: async (folder) => nothingIn(hashAs(undefined, new TextEncoder().encode(folder))),
    readTogether: async ({ digest }) => nothingIn(digest),
    decompressors: { gzip: inOnePiece, zstd: inOnePiece },
    limits: { ...defaultLimits, ...withoutUndefined(limits) },
  };
}

async function* inOnePiece(source: Bytes): Bytes {
  yield decompress(await joined(source));
}

async function joined(source: Bytes): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of source) chunks.push(Uint8Array.from(chunk));
  return Buffer.concat(chunks);
}

async function checkLayer({ open, expected }: LayerToRead): Promise<LayerRead> {
  const stored = await joined(open());
  const digest = hashAs(expected.digest, stored);
  if (expected.sizeBytes !== undefined && expected.sizeBytes !== stored.length) {
    throw new ScanError(
      "size_mismatch",
      `layer ${digest}: expected ${expected.sizeBytes} bytes, found ${stored.length}`,
    );
  }
  const tar = decompress(stored);
  const [first] = [tar.subarray(0, 512)];
  if (first.length < 512 || !(isZeroBlock(first) || hasValidChecksum(first))) {
    throw new ScanError("malformed_archive", `layer ${digest}: expected a tar archive`);
  }
  return { record: nothingIn(digest), digest, sizeBytes: stored.length, diffId: hashAs(expected.diffId, tar) };
}

function hashAs(expected: Digest | undefined, bytes: Uint8Array): Digest {
  const digest = parseDigest(`sha256:${createHash("sha256").update(bytes).digest("hex")}`);
  if (expected === undefined || expected === digest) return digest;
  throw new ScanError("digest_mismatch", `layer: expected ${expected}, found ${digest}`);
}

function decompress(bytes: Uint8Array): Uint8Array {
  if (bytes[0] === 0x1f && bytes[1] === 0x8b) return gunzipSync(bytes);
  const isZstd = bytes[0] === 0x28 && bytes[1] === 0xb5 && bytes[2] === 0x2f && bytes[3] === 0xfd;
  return isZstd ? zstdDecompressSync(bytes) : bytes;
}

function nothingIn(digest: Digest): RecordRead {
  return { digest, uncompressedBytes: 0, pieces: [JSON.stringify({ digest, entries: 0, uncompressedBytes: 0 })] };
}
