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
import type { Digest } from "@plimsoll/core/digest";
import { cooperativeYield } from "@plimsoll/store";
import { isObject, memberOf } from "../../values/misread-members.ts";

/**
 * The size limit of a signed payload. A statement that an image is signed has a few hundred bytes, and a signed VEX document rarely more
 * than some tens of thousands.
 */
export const maxPayloadBytes = 256 * 1024;

/** The most checks of signatures for one document: of each of its signatures with each key. */
const mostChecks = 64;

/** The key that has signed a payload which names the digest. @param signature in Base64 */
export async function signerOfPayload(
  { payload, signature }: { readonly payload: Uint8Array; readonly signature: string },
  digest: Digest,
  keys: readonly KeyObject[],
): Promise<KeyObject | undefined> {
  const signer = await signerOf(keys, payload, [signature]);
  if (signer === undefined) return undefined;
  const critical = memberOf(parseJson(payload), "critical");
  const image = memberOf(critical, "image");
  const isSignature = memberOf(critical, "type") === "cosign container image signature";
  return isSignature && memberOf(image, "docker-manifest-digest") === digest ? signer : undefined;
}

/** The statement that an image is signed, in contrast to those about its origin or its packages. */
const signPredicate = "https://sigstore.dev/cosign/sign/v1";

/** The key that has signed the statement in a bundle, which says that the digest is signed. */
export async function signerOfBundle(
  bundle: Uint8Array,
  digest: Digest,
  keys: readonly KeyObject[],
): Promise<KeyObject | undefined> {
  const signed = await readEnvelope(memberOf(parseJson(bundle), "dsseEnvelope"), keys);
  return signed?.predicateType === signPredicate && signed.subjects.includes(digest) ? signed.signer : undefined;
}

/** The key that has signed an attestation (an in-toto statement in an envelope) which is about one of the digests. */
export async function signerOfAttestation(
  envelope: Uint8Array,
  digests: readonly string[],
  keys: readonly KeyObject[],
): Promise<KeyObject | undefined> {
  const signed = await readEnvelope(parseJson(envelope), keys);
  return signed?.subjects.some((digest) => digests.includes(digest)) ? signed.signer : undefined;
}

/** A statement that a key has signed. */
interface SignedStatement {
  readonly signer: KeyObject;
  readonly predicateType: unknown;
  /** The digests that it is about. */
  readonly subjects: readonly string[];
}

/** The statement in an envelope, if one of the keys has signed it. */
async function readEnvelope(envelope: unknown, keys: readonly KeyObject[]): Promise<SignedStatement | undefined> {
  const [type, encoded] = [memberOf(envelope, "payloadType"), memberOf(envelope, "payload")];
  if (typeof type !== "string" || typeof encoded !== "string" || type.length > maxTypeLength) return undefined;
  const payload = Buffer.from(encoded, "base64");
  if (payload.length > maxPayloadBytes) return undefined;
  const head = `DSSEv1 ${Buffer.byteLength(type)} ${type} ${payload.length} `;
  const signed = Buffer.concat([Buffer.from(head), payload]);
  const signatures = listOf(memberOf(envelope, "signatures")).slice(0, mostChecks);
  const texts = signatures.map((each) => memberOf(each, "sig")).filter((each) => typeof each === "string");
  const signer = await signerOf(keys, signed, texts);
  if (signer === undefined) return undefined;
  const statement = parseJson(payload);
  const subjects = listOf(memberOf(statement, "subject")).flatMap((each) => digestsOf(memberOf(each, "digest")));
  return { signer, predicateType: memberOf(statement, "predicateType"), subjects };
}

/** The most characters of the type of a payload, which is signed with it. */
const maxTypeLength = 1000;

/** `{"sha256":"<hex>"}` as digests. */
function digestsOf(set: unknown): readonly string[] {
  return Object.entries(isObject(set) ? set : {}).map(([algorithm, hex]) => `${algorithm}:${String(hex)}`);
}

/**
 * The first key that made one of the signatures. Everyone who may push can attach signatures, so their checks are bounded, and other work
 * runs between them.
 */
async function signerOf(
  keys: readonly KeyObject[],
  bytes: Uint8Array,
  signatures: readonly string[],
): Promise<KeyObject | undefined> {
  if (bytes.length > maxPayloadBytes + maxTypeLength * 4) return undefined;
  const giveWay = cooperativeYield();
  let left = mostChecks;
  for (const signature of signatures) {
    if (signature.length > maxSignatureLength) continue;
    const decoded = Buffer.from(signature, "base64");
    for (const key of keys) {
      if (left-- === 0) return undefined;
      if (verify(key.asymmetricKeyType === "ed25519" ? undefined : "sha256", bytes, key, decoded)) return key;
      await giveWay();
    }
  }
  return undefined;
}

/** The most characters of a signature: one by the longest RSA key has 1,368 in Base64. */
const maxSignatureLength = 4096;

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
