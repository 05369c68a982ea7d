import { createHash } from "node:crypto";
import { type Digest, digestAlgorithm, parseDigest, ScanError } from "@plimsoll/core";

/** The sha256 digest of bytes in memory. */
export function digestDocument(bytes: Uint8Array): Digest {
  return parseDigest(`sha256:${createHash("sha256").update(bytes).digest("hex")}`);
}

/** What is promised of a document. */
export interface ExpectedDocument {
  readonly digest: Digest;
  readonly sizeBytes?: number;
}

/**
 * Checks that a document is the promised one.
 * @param what names the document in messages
 * @throws ScanError `size_mismatch`, `digest_mismatch`
 */
export function verifyDocument(bytes: Uint8Array, expected: ExpectedDocument, what: string): void {
  const { digest, sizeBytes = bytes.length } = expected;
  if (bytes.length !== sizeBytes) {
    throw new ScanError("size_mismatch", `${what}: expected ${sizeBytes} bytes, found ${bytes.length}`);
  }
  const algorithm = digestAlgorithm(digest);
  const found = `${algorithm}:${createHash(algorithm).update(bytes).digest("hex")}`;
  if (found !== digest) throw new ScanError("digest_mismatch", `${what}: expected ${digest}, found ${found}`);
}
