import { malformedFeed } from "../shared/malformed-feed.ts";

/**
 * The SHA-256 digest of the uncompressed document that a `.meta` file states, in lower-case hex.
 *
 * ```
 * lastModifiedDate:2025-08-07T03:01:41-04:00
 * sha256:D165E29D…
 * ```
 * @throws ScanError `malformed_feed`
 */
export function readNvdMeta(bytes: Uint8Array, location: string): string {
  const digest = /^sha256:([0-9a-f]{64})\s*$/im.exec(new TextDecoder().decode(bytes))?.[1];
  if (digest === undefined) throw malformedFeed(location, "expected a line with a SHA-256 digest, found none");
  return digest.toLowerCase();
}
