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
import { memberOf } from "../values/json-objects.ts";

/** Whether one of the keys has signed a payload that names the digest. @param signature in Base64 */
export function isSignedPayload(
  { payload, signature }: { readonly payload: Uint8Array; readonly signature: string },
  digest: Digest,
  keys: readonly KeyObject[],
): boolean {
  if (!isSignedBy(keys, payload, signature)) return false;
  const critical = memberOf(parseJson(payload), "critical");
  const image = memberOf(critical, "image");
  const isSignature = memberOf(critical, "type") === "cosign container image signature";
  return isSignature && memberOf(image, "docker-manifest-digest") === digest;
}

/** The statement that an image is signed, in contrast to those about its origin or its packages. */
const signPredicate = "https://sigstore.dev/cosign/sign/v1";

/** Whether one of the keys has signed the statement in a bundle, and it says that the digest is signed. */
export function isSignedBundle(bundle: Uint8Array, digest: Digest, keys: readonly KeyObject[]): boolean {
  const envelope = memberOf(parseJson(bundle), "dsseEnvelope");
  const [type, encoded] = [memberOf(envelope, "payloadType"), memberOf(envelope, "payload")];
  if (typeof type !== "string" || typeof encoded !== "string") return false;
  const payload = Buffer.from(encoded, "base64");
  const head = `DSSEv1 ${Buffer.byteLength(type)} ${type} ${payload.length} `;
  const signed = Buffer.concat([Buffer.from(head), payload]);
  const signatures = listOf(memberOf(envelope, "signatures")).map((each) => memberOf(each, "sig"));
  if (!signatures.some((signature) => typeof signature === "string" && isSignedBy(keys, signed, signature)))
    return false;
  const statement = parseJson(payload);
  const digests = listOf(memberOf(statement, "subject")).map((each) => memberOf(memberOf(each, "digest"), "sha256"));
  return memberOf(statement, "predicateType") === signPredicate && digests.includes(digest.replace(/^sha256:/, ""));
}

function isSignedBy(keys: readonly KeyObject[], bytes: Uint8Array, signature: string): boolean {
  const decoded = Buffer.from(signature, "base64");
  return keys.some((key) => verify(key.asymmetricKeyType === "ed25519" ? undefined : "sha256", bytes, key, decoded));
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
