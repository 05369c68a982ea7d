/**
 * The two formats in which cosign stores signatures by a key:
 *
 * simple signing   payload and signature, in a manifest under the tag `sha256-<hex>.sig`
 * sigstore bundle  an envelope (DSSE) around a statement (in-toto), in a referrer of the image
 *
 * @see https://github.com/sigstore/cosign/blob/main/specs/SIGNATURE_SPEC.md
 * @see https://github.com/secure-systems-lab/dsse/blob/master/protocol.md
 */
import { type KeyObject, verify } from "node:crypto";
import type { Digest } from "@plimsoll/core";
import { isObject, memberOf } from "../values/json-objects.ts";

/** The key that has signed a payload which names the digest. @param signature in Base64 */
export function signerOfPayload(
  { payload, signature }: { readonly payload: Uint8Array; readonly signature: string },
  digest: Digest,
  keys: readonly KeyObject[],
): KeyObject | undefined {
  const signer = signerOf(keys, payload, signature);
  if (signer === undefined) return undefined;
  const critical = memberOf(parseJson(payload), "critical");
  const image = memberOf(critical, "image");
  const isSignature = memberOf(critical, "type") === "cosign container image signature";
  return isSignature && memberOf(image, "docker-manifest-digest") === digest ? signer : undefined;
}

/** The statement that an image is signed, in contrast to those about its origin or its packages. */
const signPredicate = "https://sigstore.dev/cosign/sign/v1";

/** The key that has signed the statement in a bundle, which says that the digest is signed. */
export function signerOfBundle(bundle: Uint8Array, digest: Digest, keys: readonly KeyObject[]): KeyObject | undefined {
  const signed = readEnvelope(memberOf(parseJson(bundle), "dsseEnvelope"), keys);
  return signed?.predicateType === signPredicate && signed.subjects.includes(digest) ? signed.signer : undefined;
}

/** The key that has signed an attestation (an in-toto statement in an envelope) which is about one of the digests. */
export function signerOfAttestation(
  envelope: Uint8Array,
  digests: readonly string[],
  keys: readonly KeyObject[],
): KeyObject | undefined {
  const signed = readEnvelope(parseJson(envelope), keys);
  return signed?.subjects.some((digest) => digests.includes(digest)) ? signed.signer : undefined;
}

/** A statement that a key has signed. */
interface SignedStatement {
  readonly signer: KeyObject;
  readonly predicateType: unknown;
  /** The digests that it is about. */
  readonly subjects: readonly string[];
}

/** The most signatures of an envelope that are checked. */
const mostSignatures = 32;

/** The statement in an envelope, if one of the keys has signed it. */
function readEnvelope(envelope: unknown, keys: readonly KeyObject[]): SignedStatement | undefined {
  const [type, encoded] = [memberOf(envelope, "payloadType"), memberOf(envelope, "payload")];
  if (typeof type !== "string" || typeof encoded !== "string") return undefined;
  const payload = Buffer.from(encoded, "base64");
  const head = `DSSEv1 ${Buffer.byteLength(type)} ${type} ${payload.length} `;
  const signed = Buffer.concat([Buffer.from(head), payload]);
  const signatures = listOf(memberOf(envelope, "signatures")).map((each) => memberOf(each, "sig"));
  for (const signature of signatures.slice(0, mostSignatures)) {
    const signer = typeof signature === "string" ? signerOf(keys, signed, signature) : undefined;
    if (signer === undefined) continue;
    const statement = parseJson(payload);
    const subjects = listOf(memberOf(statement, "subject")).flatMap((each) => digestsOf(memberOf(each, "digest")));
    return { signer, predicateType: memberOf(statement, "predicateType"), subjects };
  }
  return undefined;
}

/** `{"sha256":"<hex>"}` as digests. */
function digestsOf(set: unknown): readonly string[] {
  return Object.entries(isObject(set) ? set : {}).map(([algorithm, hex]) => `${algorithm}:${String(hex)}`);
}

function signerOf(keys: readonly KeyObject[], bytes: Uint8Array, signature: string): KeyObject | undefined {
  const decoded = Buffer.from(signature, "base64");
  return keys.find((key) => verify(key.asymmetricKeyType === "ed25519" ? undefined : "sha256", bytes, key, decoded));
}

/** Parses a JSON document; undefined if the bytes are not JSON. */
export function parseJson(bytes: Uint8Array): unknown {
  try {
    return JSON.parse(Buffer.from(bytes).toString("utf8"));
  } catch {
    return undefined;
  }
}

/** The items of a value; empty if the value is not an array. */
export function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}
