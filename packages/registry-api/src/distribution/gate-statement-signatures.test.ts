import { expect } from "vitest";
import { attested, name, notAffected, ours, type Pair, pemOf, signed, theirs } from "./fixtures/attestations.ts";
import { attestedBy, dsse, type Held, type Road, statement, withGates } from "./fixtures/held-gates.ts";

const both = ["organization"]; // the gate of the organization refuses first
const attTag = (digest: string) => `${digest.replace(":", "-")}.att`;

/** What is signed, and whether the gates count it. The organization names the key `release`. */
const signatures: readonly Road[] = [
  [
    "a writer attaches an attestation that the key has signed",
    [],
    (held) => held.attach("bob", attestedBy(held, ours)),
  ],
  ["a writer attaches one of another key", both, (held) => held.attach("bob", attestedBy(held, theirs))],
  ["a mirror brings an attestation that the key has signed", [], (held) => held.copyIn(attestedBy(held, ours))],
  [
    "a writer attaches an attestation that the key has signed for another image",
    both,
    async (held) => {
      const { digest } = await held.world.pushImage(name, "other", { layer: "other" });
      const document = attested(notAffected("pkg:npm/semver"), digest, ours);
      await held.attach("bob", { document, mediaType: dsse, subject: held.image.digest });
    },
  ],
  [
    "a writer changes a signed attestation",
    both,
    (held) => {
      const envelope = JSON.parse(attested(notAffected("pkg:npm/other"), held.image.digest, ours));
      const { payload } = JSON.parse(attested(notAffected(held.image.digest), held.image.digest, theirs));
      const document = JSON.stringify({ ...envelope, payload });
      return held.attach("bob", { document, mediaType: dsse, subject: held.image.digest });
    },
  ],
  [
    "the key has signed the artifact, under cosign's tag",
    [],
    async (held) => tagSignature(held, await held.attach("bob", statement(held)), ours),
  ],
  [
    "another key has signed the artifact",
    both,
    async (held) => tagSignature(held, await held.attach("bob", statement(held)), theirs),
  ],
  [
    "the key has signed an artifact that does not name the image",
    both,
    async (held) => {
      const artifact = { document: notAffected("pkg:npm/semver") };
      await tagSignature(held, await held.attach("bob", artifact, attTag(held.image.digest)), ours);
    },
  ],
  [
    "the key is removed",
    both,
    async (held) => {
      await held.attach("bob", attestedBy(held, ours));
      expect(await held.refusedBy()).toEqual([]);
      const { body } = await held.calls.carol("GET", "/organization/acme/pullgate");
      const path = `/organization/acme/pullgate/keys/${body.keys[0].uuid}`;
      expect((await held.calls.carol("DELETE", path)).status).toBe(204);
    },
  ],
  [
    "a key of the repository has signed it",
    both,
    async (held) => {
      const key = { name: "of the repository", public_key: pemOf(theirs) };
      expect((await held.calls.rita("POST", `/repository/${name}/pullgate/keys`, key)).status).toBe(201);
      await held.attach("bob", attestedBy(held, theirs));
    },
  ],
];

/** Signs an artifact as cosign does. */
async function tagSignature(held: Held, artifact: string, pair: Pair): Promise<void> {
  const image = { "docker-manifest-digest": artifact };
  const document = JSON.stringify({ critical: { identity: {}, image, type: "cosign container image signature" } });
  const annotations = { "dev.cosignproject.cosign/signature": signed(Buffer.from(document), pair) };
  const mediaType = "application/vnd.dev.cosign.simplesigning.v1+json";
  await held.attach("bob", { document, mediaType, annotations }, `${artifact.replace(":", "-")}.sig`);
}

withGates("signed statements and the pull gates", (test) => {
  for (const [title, refusing, go] of signatures) {
    test(`${refusing[0] ?? "nothing"} refuses the image where a key is named, if ${title}`, async (held) => {
      const key = { name: "release", public_key: pemOf(ours) };
      expect((await held.calls.carol("POST", "/organization/acme/pullgate/keys", key)).status).toBe(201);

      await go(held);

      expect(await held.refusedBy()).toEqual(refusing);
    });
  }

  test("are not believed for keys that are none, or too many", async ({ calls }) => {
    const add = (body: object) => calls.carol("POST", "/organization/acme/pullgate/keys", body);
    const form = "public_key: expected one public key of ECDSA, Ed25519 or RSA in PEM";
    const pem = pemOf(ours);
    const secret = ours.privateKey.export({ type: "pkcs8", format: "pem" }).toString();

    const refused = [
      await add({ name: "text", public_key: "none" }),
      await add({ name: "private", public_key: secret }),
      await add({ name: "two", public_key: pem + pem }),
      await add({ name: " ", public_key: pem }),
    ];
    expect(refused.map(({ status, body }) => `${status} ${body.detail}`)).toEqual([
      `400 ${form}: it is not a key in PEM`,
      `400 ${form}: it is a private key`,
      `400 ${form}: it has several keys, of which only the first would count`,
      "400 name: expected a string that is not empty",
    ]);
    for (let number = 0; number < 20; number++)
      expect((await add({ name: `key ${number}`, public_key: pem })).status).toBe(201);
    expect((await add({ name: "key 1", public_key: pem })).status).toBe(400);
    expect((await add({ name: "one more", public_key: pem })).body.detail).toContain("at most 20 keys");
  });
});
