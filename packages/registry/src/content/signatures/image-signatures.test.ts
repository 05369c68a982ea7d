import { generateKeyPairSync, type KeyObject, sign } from "node:crypto";
import { parseDigest } from "@plimsoll/core/digest";
import { describe, expect, it } from "vitest";
import { maxPayloadBytes, signerOfAttestation, signerOfPayload } from "./image-signatures.ts";

const digest = parseDigest(`sha256:${"a".repeat(64)}`);
const ours = generateKeyPairSync("ed25519");
const theirs = generateKeyPairSync("ed25519").publicKey;

function payloadOf(size: number): Buffer {
  const critical = { image: { "docker-manifest-digest": digest }, type: "cosign container image signature" };
  return Buffer.from(JSON.stringify({ critical, subject: [{ digest: { sha256: "a".repeat(64) } }] }).padEnd(size));
}

/** An envelope with a signature by our key behind others that are by no key. */
function envelopeOf(payload: Buffer, others = 0): Buffer {
  const head = Buffer.from(`DSSEv1 4 text ${payload.length} `);
  const sig = sign(undefined, Buffer.concat([head, payload]), ours.privateKey).toString("base64");
  const wrong = Buffer.alloc(64).toString("base64");
  const signatures = [...Array.from({ length: others }, () => ({ sig: wrong })), { sig }];
  return Buffer.from(JSON.stringify({ payloadType: "text", payload: payload.toString("base64"), signatures }));
}

const attested = (envelope: Buffer, keys: readonly KeyObject[]) => signerOfAttestation(envelope, [digest], keys);

describe("signerOfAttestation", () => {
  it("checks a payload up to the limit of its size", async () => {
    expect(await attested(envelopeOf(payloadOf(maxPayloadBytes)), [theirs, ours.publicKey])).toBe(ours.publicKey);
    expect(await attested(envelopeOf(payloadOf(maxPayloadBytes + 1)), [ours.publicKey])).toBeUndefined();
  });

  it("checks 64 pairs of a signature and a key", async () => {
    const keys = [theirs, ours.publicKey];

    expect(await attested(envelopeOf(payloadOf(0), 31), keys)).toBe(ours.publicKey);
    expect(await attested(envelopeOf(payloadOf(0), 32), keys)).toBeUndefined();
  });
});

describe("signerOfPayload", () => {
  it.each([
    { size: 1000, is: ours.publicKey },
    { size: 1024 * 1024, is: undefined },
  ])("checks no payload that is larger than statements are: $size bytes", async ({ size, is }) => {
    const payload = payloadOf(size);
    const signature = sign(undefined, payload, ours.privateKey).toString("base64");

    expect(await signerOfPayload({ payload, signature }, digest, [ours.publicKey])).toBe(is);
  });
});
