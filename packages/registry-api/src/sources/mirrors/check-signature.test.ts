import { createHash, generateKeyPairSync, type KeyObject, sign } from "node:crypto";
import type { Digest } from "@plimsoll/core/digest";
import { checkSignature } from "@plimsoll/registry/sources/mirrors/copy-tags";
import { describe, expect, it } from "vitest";
import { type FakeUpstream, fakeUpstream, subjectOf } from "./fixtures/fake-upstream.ts";

const pairs = {
  "ECDSA on P-256": generateKeyPairSync("ec", { namedCurve: "P-256" }),
  Ed25519: generateKeyPairSync("ed25519"),
  RSA: generateKeyPairSync("rsa", { modulusLength: 2048 }),
};
const ours = pairs["ECDSA on P-256"];
const theirs = generateKeyPairSync("ec", { namedCurve: "P-256" });

function signed(text: string, { privateKey: key }: { readonly privateKey: KeyObject }): string {
  return sign(key.asymmetricKeyType === "ed25519" ? undefined : "sha256", Buffer.from(text), key).toString("base64");
}

function payloadOf(digest: string, type = "cosign container image signature"): string {
  return JSON.stringify({ critical: { identity: {}, image: { "docker-manifest-digest": digest }, type } });
}

/** Adds a manifest with one layer of a content. */
function putSignature(
  upstream: FakeUpstream,
  content: string,
  { members = {}, layer = { mediaType } }: { readonly members?: object; readonly layer?: object } = {},
): Digest {
  const digest = `sha256:${createHash("sha256").update(content).digest("hex")}`;
  return upstream.image([content], { layers: [{ digest, size: Buffer.byteLength(content), ...layer }], ...members });
}

function tagSignature(
  upstream: FakeUpstream,
  image: Digest,
  { payload, signature }: { readonly payload: string; readonly signature: string },
): void {
  const annotations = { "dev.cosignproject.cosign/signature": signature };
  upstream.tags.set(`${image.replace(":", "-")}.sig`, putSignature(upstream, payload, { layer: { annotations } }));
}

const signPredicate = "https://sigstore.dev/cosign/sign/v1";
const mediaType = "application/vnd.dev.sigstore.bundle.v0.3+json";

function bundleOf(image: Digest, pair: Parameters<typeof signed>[1], predicateType = signPredicate): string {
  const subject = [{ digest: { sha256: image.replace("sha256:", "") } }];
  const payload = JSON.stringify({ _type: "https://in-toto.io/Statement/v1", subject, predicateType });
  const payloadType = "application/vnd.in-toto+json";
  const envelope = `DSSEv1 ${payloadType.length} ${payloadType} ${payload.length} ${payload}`;
  const dsseEnvelope = {
    payload: Buffer.from(payload).toString("base64"),
    payloadType,
    signatures: [{ sig: signed(envelope, pair) }],
  };
  return JSON.stringify({ mediaType, dsseEnvelope });
}

async function check(upstream: FakeUpstream, digest: Digest, keys: readonly KeyObject[] = [ours.publicKey]) {
  const opened = await upstream.open({ host: "registry.example", path: "app", verifiesTls: true });
  const image = { upstream: opened, digest, keys, signal: AbortSignal.timeout(60_000) };
  return checkSignature(image).then(
    () => "signed",
    ({ message }: Error) => message,
  );
}

const refused = "no key of the setting mirrorSignatureKeys has signed the image";

describe("checkSignature", () => {
  it.each(Object.entries(pairs))("takes a signature by %s under its tag, and in a bundle", async (_, pair) => {
    const upstream = fakeUpstream();
    const [tagged, bundled] = [upstream.image(["one"]), upstream.image(["two"])];
    tagSignature(upstream, tagged, { payload: payloadOf(tagged), signature: signed(payloadOf(tagged), pair) });
    putSignature(upstream, bundleOf(bundled, pair), { members: subjectOf(bundled) });

    expect(await check(upstream, tagged, [theirs.publicKey, pair.publicKey])).toBe("signed");
    expect(await check(upstream, bundled, [theirs.publicKey, pair.publicKey])).toBe("signed");
    expect(await check(upstream, tagged, [theirs.publicKey])).toBe(refused);
    expect(await check(upstream, bundled, [theirs.publicKey])).toBe(refused);
  });

  it("finds a bundle behind many other referrers", async () => {
    const upstream = fakeUpstream();
    const image = upstream.image(["one"]);
    for (let day = 0; day < 400; day++) upstream.image([`attestation ${day}`], subjectOf(image));
    putSignature(upstream, bundleOf(image, ours), { members: subjectOf(image) });

    expect(await check(upstream, image)).toBe("signed");
  });

  it("finds a bundle by the tag of referrers where the registry lists none", async () => {
    const upstream = fakeUpstream();
    const image = upstream.image(["one"]);
    const bundle = putSignature(upstream, bundleOf(image, ours));
    upstream.tags.set(image.replace(":", "-"), upstream.index([bundle]));

    expect(await check(upstream, image)).toBe("signed");
  });

  it.each<{ what: string; put: (upstream: FakeUpstream, image: Digest, other: Digest) => void }>([
    { what: "is not signed", put: () => {} },
    {
      what: "has the signature of another image under its tag",
      put: (upstream, image, other) =>
        tagSignature(upstream, image, { payload: payloadOf(other), signature: signed(payloadOf(other), ours) }),
    },
    {
      what: "has a changed payload",
      put: (upstream, image, other) =>
        tagSignature(upstream, image, { payload: payloadOf(image), signature: signed(payloadOf(other), ours) }),
    },
    {
      what: "has a signed payload of another type",
      put(upstream, image) {
        const payload = payloadOf(image, "atomic container signature");
        tagSignature(upstream, image, { payload, signature: signed(payload, ours) });
      },
    },
    {
      what: "has a payload that is no JSON",
      put: (upstream, image) => tagSignature(upstream, image, { payload: "{", signature: signed("{", ours) }),
    },
    {
      what: "has a signature of no bytes",
      put: (upstream, image) => tagSignature(upstream, image, { payload: payloadOf(image), signature: "" }),
    },
    {
      what: "has the bundle of another image",
      put: (upstream, image, other) =>
        void putSignature(upstream, bundleOf(other, ours), { members: subjectOf(image) }),
    },
    {
      what: "has a signed statement about its origin only",
      put: (upstream, image) =>
        void putSignature(upstream, bundleOf(image, ours, "https://slsa.dev/provenance/v1"), {
          members: subjectOf(image),
        }),
    },
    {
      what: "has a bundle that is no JSON",
      put: (upstream, image) => void putSignature(upstream, "[", { members: subjectOf(image) }),
    },
    {
      what: "has a signature that is said to be larger than any",
      put(upstream, image) {
        const layer = { mediaType, size: 2 ** 40 };
        putSignature(upstream, bundleOf(image, ours), { members: subjectOf(image), layer });
      },
    },
    {
      what: "has a referrer with layers that are none",
      put: (upstream, image) => void upstream.image(["x"], { layers: [null, 5, { digest: "x" }], ...subjectOf(image) }),
    },
  ])("refuses an image that $what", async ({ put }) => {
    const upstream = fakeUpstream();
    const [image, other] = [upstream.image(["one"]), upstream.image(["two"])];
    put(upstream, image, other);

    expect(await check(upstream, image)).toBe(refused);
  });
});
