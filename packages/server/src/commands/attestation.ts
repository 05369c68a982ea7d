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
import { createPrivateKey, createPublicKey, type KeyObject, sign, verify } from "node:crypto";
import { type Digest, digestHex } from "@plimsoll/core/digest";
import type { ImageSource } from "@plimsoll/core/image";
import { safeText } from "@plimsoll/core/internal/safe-text";
import { UsageError } from "../cli/exit-code.ts";
import type { CliIo } from "../cli/io.ts";
import type { Renderers } from "../cli/write-results.ts";
import { readGivenFile } from "../config/read-given-file.ts";

/** What an attestation states about an image. */
interface ImageStatement {
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
 * Reads the private key of `--attest`: ECDSA with the curve P-256, or Ed25519, in PEM, as it is or as cosign encrypts it; undefined without the flag.
 * @throws UsageError for another key, for a wrong password, and for one that is encrypted in another way
 */
export async function readSigningKey(
  file: string | undefined,
  { env }: Pick<CliIo, "env">,
): Promise<KeyObject | undefined> {
  if (file === undefined) return undefined;
  const place = `--attest ${file}`;
  const pem = await readGivenFile("--attest", file);
  const [, sealed] = cosignKey.exec(pem) ?? [];
  if (sealed === undefined) return signingKeyOf(pem, place);
  const { openCosignKey } = await import("./cosign-key.ts");
  return signingKeyOf(openCosignKey(sealed, { place, env }), place);
}

/** @throws UsageError for a source that is no image: what an attestation is about is found by the digest of an image */
export function checkSubject({ name }: Pick<ImageSource, "name">): void {
  if (!/^(?:dir|file|sbom|purl):/.test(name)) return;
  throw new UsageError(
    `--attest: expected an image, found ${safeText(name)}: an attestation is about the digest of an image`,
  );
}

/** A key as `cosign generate-key-pair` writes it, now and in earlier versions. */
const cosignKey =
  /-----BEGIN ENCRYPTED (?:SIGSTORE|COSIGN) PRIVATE KEY-----([A-Za-z0-9+/=\s]{1,16384})-----END ENCRYPTED (?:SIGSTORE|COSIGN) PRIVATE KEY-----/;

function signingKeyOf(pem: string, place: string): KeyObject {
  if (/-----BEGIN ENCRYPTED/.test(pem)) {
    throw new UsageError(
      `${place}: expected a private key that is not encrypted, or one of cosign, found another encrypted one; decrypt it into a file that only you can read`,
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
function signStatement({ name, digest, predicateType, predicate }: ImageStatement, key: KeyObject): string {
  const [algorithm = "sha256"] = digest.split(":", 1);
  const payload = Buffer.from(
    JSON.stringify({
      _type: "https://in-toto.io/Statement/v0.1",
      subject: [{ name, digest: { [algorithm]: digestHex(digest) } }],
      predicateType,
      predicate,
    }),
  );
  const sig = sign(hashOf(key), signedBytes(payload), key).toString("base64");
  return JSON.stringify({ payloadType, payload: payload.toString("base64"), signatures: [{ keyid: "", sig }] });
}

function signedBytes(payload: Buffer): Buffer {
  return Buffer.concat([Buffer.from(`DSSEv1 ${payloadType.length} ${payloadType} ${payload.length} `), payload]);
}

/** Ed25519 hashes by itself. */
function hashOf(key: KeyObject): string | null {
  return key.asymmetricKeyType === "ed25519" ? null : "sha256";
}

/** Whether two envelopes have the same statement, and one that others wrote is signed with the key. */
export function isSameAttestation(written: Uint8Array, own: Uint8Array, key: KeyObject): boolean {
  const [other, mine] = [written, own].map((bytes) => parseEnvelope(bytes));
  if (other === undefined || other.payload !== mine?.payload) return false;
  const sig = Buffer.from(other.sig, "base64");
  return verify(hashOf(key), signedBytes(Buffer.from(other.payload, "base64")), createPublicKey(key), sig);
}

/** Of an envelope with one signature; undefined for other bytes: what others attach may be anything. */
function parseEnvelope(bytes: Uint8Array): { readonly payload: string; readonly sig: string } | undefined {
  try {
    const { payloadType: type, payload, signatures } = JSON.parse(Buffer.from(bytes).toString());
    const [{ sig }, ...more] = signatures;
    const isKnown = type === payloadType && typeof payload === "string" && typeof sig === "string";
    return isKnown && more.length === 0 ? { payload, sig } : undefined;
  } catch {
    return undefined;
  }
}

/** How documents become predicates of statements about an image. */
export interface Attesting<Format extends string> {
  readonly formats: readonly Format[];
  readonly image: Pick<ImageStatement, "name" | "digest">;
  readonly key: KeyObject;
  /** @param document as JSON */
  predicateOf(format: Format, document: object): Pick<ImageStatement, "predicate" | "predicateType">;
}

/** The same renderers with each document in a signed envelope. */
export function attestingRenderers<Format extends string>(
  documents: Renderers<Format>,
  { formats, image, key, predicateOf }: Attesting<Format>,
): Renderers<Format> {
  const rows = formats.map((format) => {
    const render: Renderers<Format>[Format] = (place) => {
      const document = JSON.parse([...documents[format](place)].join("\n"));
      return [signStatement({ ...image, ...predicateOf(format, document) }, key)];
    };
    return [format, render] as const;
  });
  return Object.fromEntries(rows) as Renderers<Format>;
}
