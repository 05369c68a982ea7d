import { ScanError } from "../errors.ts";

declare const digestBrand: unique symbol;

/**
 * A content identifier `algorithm:hex`, sha256 or sha512.
 * @see https://github.com/opencontainers/image-spec/blob/v1.1.0/descriptor.md#digests
 */
export type Digest = string & { readonly [digestBrand]: true };

/** The digest algorithms this code base computes and accepts. */
export type DigestAlgorithm = ReturnType<typeof digestAlgorithm>;

const hexLengths: ReadonlyMap<string, number> = new Map([
  ["sha256", 64],
  ["sha512", 128],
]);

/**
 * Parses `algorithm:hex`.
 * @throws ScanError `unsupported_digest` for a registered algorithm that is not implemented (BLAKE3), `malformed_digest`
 * for any other text that is not a digest.
 * @example
 * const digest = parseDigest("sha256:ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
 */
export function parseDigest(text: string): Digest {
  const colon = text.indexOf(":");
  const algorithm = text.slice(0, colon);
  const hex = text.slice(colon + 1);
  if (algorithm === "blake3") {
    throw new ScanError(
      "unsupported_digest",
      `BLAKE3 digests are not implemented, use sha256 or sha512: ${shown(text)}`,
    );
  }
  if (colon < 0 || hexLengths.get(algorithm) !== hex.length || !/^[0-9a-f]+$/.test(hex)) {
    throw new ScanError(
      "malformed_digest",
      `expected sha256: or sha512: and lower-case hex digits, found ${shown(text)}`,
    );
  }
  return text as Digest; // the only cast to Digest in the code base
}

/**
 * Whether `text` is a digest that {@link parseDigest} accepts.
 * @example
 * isDigest("sha256:abc"); // false
 */
export function isDigest(text: string): boolean {
  try {
    parseDigest(text);
    return true;
  } catch {
    return false;
  }
}

/**
 * The algorithm of a digest.
 * @example
 * digestAlgorithm(parseDigest(`sha256:${"0".repeat(64)}`)); // "sha256"
 */
export function digestAlgorithm(digest: Digest): "sha256" | "sha512" {
  return digest.startsWith("sha256:") ? "sha256" : "sha512";
}

/**
 * The hex part of a digest.
 * @example
 * digestHex(parseDigest(`sha256:${"0".repeat(64)}`)).length; // 64
 */
export function digestHex(digest: Digest): string {
  return digest.slice(digest.indexOf(":") + 1);
}

function shown(text: string): string {
  return JSON.stringify(text.length > 160 ? `${text.slice(0, 160)}…` : text);
}
