import { createPublicKey, type KeyObject, verify } from "node:crypto";
import { type Static, Type } from "typebox";
import { Value } from "typebox/value";
import { hashOf, payloadType, signedBytes } from "./attestation.ts";

const Envelope = Type.Object({
  payloadType: Type.Literal(payloadType),
  payload: Type.String(),
  signatures: Type.Tuple([Type.Object({ sig: Type.String() })]),
});

/** Whether two envelopes have the same statement, and one that others wrote is signed with the key. */
export function isSameAttestation(written: Uint8Array, own: Uint8Array, key: KeyObject): boolean {
  const [other, mine] = [written, own].map((bytes) => parseEnvelope(bytes));
  if (other === undefined || mine === undefined || other.payload !== mine.payload) return false;
  const sig = Buffer.from(other.signatures[0].sig, "base64");
  return verify(hashOf(key), signedBytes(Buffer.from(other.payload, "base64")), createPublicKey(key), sig);
}

function parseEnvelope(bytes: Uint8Array): Static<typeof Envelope> | undefined {
  try {
    return Value.Parse(Envelope, JSON.parse(Buffer.from(bytes).toString()));
  } catch {
    return undefined; // what others put there may be anything
  }
}
