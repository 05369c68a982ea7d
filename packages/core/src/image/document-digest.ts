import { pureHasher } from "../bytes/pure-hasher.ts";
import { ScanError } from "../errors.ts";
import { type Digest, type DigestAlgorithm, digestAlgorithm, parseDigest } from "../model/digest.ts";

/**
 * The sha256 digest of bytes in memory.
 * @example
 * digestDocument(new TextEncoder().encode("abc"));
 */
export function digestDocument(bytes: Uint8Array): Digest {
  return parseDigest(`sha256:${hexOf("sha256", bytes)}`);
}

/** The digest and size that a document must have. */
export interface ExpectedDocument {
  readonly digest: Digest;
  readonly sizeBytes?: number;
}

/**
 * Checks the digest and size of a document.
 * @param what names the document in messages
 * @throws ScanError `size_mismatch`, `digest_mismatch`
 * @example
 * const bytes = new TextEncoder().encode("{}");
 * verifyDocument(bytes, { digest: digestDocument(bytes), sizeBytes: 2 }, "config");
 */
export function verifyDocument(bytes: Uint8Array, expected: ExpectedDocument, what: string): void {
  const { digest, sizeBytes = bytes.length } = expected;
  if (bytes.length !== sizeBytes) {
    throw new ScanError("size_mismatch", `${what}: expected ${sizeBytes} bytes, found ${bytes.length}`);
  }
  const algorithm = digestAlgorithm(digest);
  const found = `${algorithm}:${hexOf(algorithm, bytes)}`;
  if (found !== digest) throw new ScanError("digest_mismatch", `${what}: expected ${digest}, found ${found}`);
}

function hexOf(algorithm: DigestAlgorithm, bytes: Uint8Array): string {
  const hasher = pureHasher(algorithm);
  hasher.update(bytes);
  return hasher.hex();
}
