/** Digests of content: `sha256:…` and `sha512:…`. */
export { type Digest, digestAlgorithm, digestHex, isDigest, parseDigest } from "../model/digest.ts";
