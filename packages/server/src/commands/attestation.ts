/**
 * in-toto attestations about images, signed as cosign signs them.
 *
 * ```
 * envelope  = { payloadType, payload, signatures: [{ keyid, sig }] }                  payload and sig in base64
 * signed    = "DSSEv1" SP length SP payloadType SP length SP payload                  lengths in bytes, as decimal numbers
 * statement = { _type, subject: [{ name, digest }], predicateType, predicate }
 * ```
 * @see https://github.com/secure-systems-lab/dsse/blob/master/protocol.md
 * @see https://github.com/sigstore/cosign/blob/main/specs/COSIGN_PREDICATE_SPEC.md
 */
import { createPrivateKey, type KeyObject, sign } from "node:crypto";
import { type Digest, digestHex } from "@plimsoll/core/digest";
import { UsageError } from "../cli/exit-code.ts";

/** What an attestation states about an image. */
export interface ImageStatement {
  /** The name of the image. */
  readonly name: string;
  readonly digest: Digest;
  readonly predicateType: string;
  readonly predicate: object;
}

const payloadType = "application/vnd.in-toto+json";

/** The media type of attestations. */
export const envelopeType = "application/vnd.dsse.envelope.v1+json";

/**
 * Reads a private key: ECDSA with the curve P-256, or Ed25519, in PEM.
 * @param place names the flag and the file in messages
 * @throws UsageError for another key, and for an encrypted one
 */
export function readSigningKey(pem: string, place: string): KeyObject {
  if (/-----BEGIN ENCRYPTED/.test(pem)) {
    throw new UsageError(
      `${place}: expected a private key that is not encrypted, found an encrypted one; decrypt it into a file that only you can read`,
    );
  }
  const key = parseKey(pem, place);
  const { asymmetricKeyType: type, asymmetricKeyDetails: { namedCurve } = {} } = key;
  if (type === "ed25519" || namedCurve === "prime256v1") return key;
  throw new UsageError(
    `${place}: expected a key of ECDSA P-256 or Ed25519, found ${[type, namedCurve].filter(Boolean).join(" ")}`,
  );
}

function parseKey(pem: string, place: string): KeyObject {
  try {
    return createPrivateKey(pem);
  } catch (cause) {
    throw new UsageError(`${place}: expected a private key in PEM`, { cause });
  }
}

/** Signs a statement. @returns the envelope as JSON */
export function signStatement({ name, digest, predicateType, predicate }: ImageStatement, key: KeyObject): string {
  const [algorithm = "sha256"] = digest.split(":", 1);
  const payload = Buffer.from(
    JSON.stringify({
      _type: "https://in-toto.io/Statement/v0.1",
      subject: [{ name, digest: { [algorithm]: digestHex(digest) } }],
      predicateType,
      predicate,
    }),
  );
  const head = Buffer.from(`DSSEv1 ${payloadType.length} ${payloadType} ${payload.length} `);
  const hash = key.asymmetricKeyType === "ed25519" ? null : "sha256"; // Ed25519 hashes by itself
  const sig = sign(hash, Buffer.concat([head, payload]), key).toString("base64");
  return JSON.stringify({ payloadType, payload: payload.toString("base64"), signatures: [{ keyid: "", sig }] });
}
