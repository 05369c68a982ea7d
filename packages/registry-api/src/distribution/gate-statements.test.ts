import { generateKeyPairSync, type KeyObject, sign } from "node:crypto";
import { expect } from "vitest";
import { type AccountRow, findAccount } from "../access/queries/accounts.ts";
import { findImageRepository } from "../access/queries/image-repositories.ts";
import { onEachEngine } from "../fixtures/each-engine.ts";
import {
  digestOf,
  ociIndexType,
  ociManifestType,
  type PushedImage,
  type TestDistribution,
} from "../fixtures/test-distribution.ts";
import type { Call } from "../fixtures/test-registry.ts";
import { vulnerabilityReport, wholeCoverage } from "../fixtures/test-reports.ts";
import { putRobot } from "../fixtures/test-tokens.ts";
import type { ImageScanner } from "../ports/scanning.ts";
import { viewManifestGate } from "../pull-gate/view-manifest-gate.ts";
import { parseManifest } from "./parse-manifest.ts";
import { putManifest } from "./put-manifest.ts";

const name = "acme/app";
const openVex = "application/vnd.openvex+json";
const dsse = "application/vnd.dsse.envelope.v1+json";
const minute = 60_000;

const scanner: ImageScanner = {
  state: async () => "one",
  index: async () => {},
  find: async () => ({ status: "scanned", report: vulnerabilityReport, coverage: wholeCoverage }),
};

/** A document that says that the image is not affected by anything that the gate counts. */
function notAffected(product: string): string {
  return JSON.stringify({
    ...{ "@context": "https://openvex.dev/ns/v0.2.0", "@id": "https://example.com/vex/1", author: "Ada" },
    ...{ timestamp: "2026-11-01T00:00:00Z", version: 1 },
    statements: [
      {
        vulnerability: { name: "CVE-2022-25883" },
        products: [{ "@id": product }],
        status: "not_affected",
        justification: "vulnerable_code_not_in_execute_path",
      },
    ],
  });
}

interface Pair {
  readonly publicKey: KeyObject;
  readonly privateKey: KeyObject;
}
const ours: Pair = generateKeyPairSync("ec", { namedCurve: "P-256" });
const theirs: Pair = generateKeyPairSync("ed25519");

function pemOf({ publicKey }: Pair): string {
  return publicKey.export({ type: "spki", format: "pem" }).toString();
}

function signed(bytes: Buffer, { privateKey: key }: Pair): string {
  return sign(key.asymmetricKeyType === "ed25519" ? undefined : "sha256", bytes, key).toString("base64");
}

/** An attestation of a document about an image. */
function attested(document: string, subject: string, pair: Pair): string {
  const [algorithm = "", hex] = subject.split(":");
  const payload = Buffer.from(
    JSON.stringify({
      _type: "https://in-toto.io/Statement/v1",
      subject: [{ name, digest: { [algorithm]: hex } }],
      predicateType: "https://openvex.dev/ns/v0.2.0",
      predicate: JSON.parse(document),
    }),
  );
  const payloadType = "application/vnd.in-toto+json";
  const head = `DSSEv1 ${payloadType.length} ${payloadType} ${payload.length} `;
  const sig = signed(Buffer.concat([Buffer.from(head), payload]), pair);
  return JSON.stringify({ payloadType, payload: payload.toString("base64"), signatures: [{ sig }] });
}

/** An artifact with one layer. */
interface Artifact {
  readonly document: string;
  readonly mediaType?: string;
  readonly subject?: string;
  readonly annotations?: Readonly<Record<string, string>>;
}

/** An organization with a gate, an image that it refuses, and people: alice is the owner, carol an admin, rita administers the repository, bob may write. */
interface Held {
  readonly world: TestDistribution;
  readonly image: PushedImage;
  readonly calls: Readonly<Record<"alice" | "bob" | "carol" | "rita", Call>>;
  /** Pushes an artifact as a user. @returns the digest of its manifest */
  attach(as: string, artifact: Artifact, tag?: string): Promise<string>;
  /** As {@link attach}, without a user: as mirrors and proxy caches store artifacts. */
  copyIn(artifact: Artifact): Promise<void>;
  put(as: string, reference: string, content: { readonly body: string; readonly type?: string }): Promise<void>;
  /** The gates that refuse the image, after cached decisions have ended; empty: it is pulled. */
  refusedBy(reference?: string): Promise<readonly string[]>;
  /** What a client sees that is refused. */
  refusal(): Promise<{ readonly message: string; readonly detail: Record<string, unknown> }>;
}

async function pushDocument(world: TestDistribution, { document, mediaType = openVex, ...more }: Artifact) {
  const [config, digest] = [await world.pushBlob(name, "{}"), await world.pushBlob(name, document)];
  const { annotations, subject } = more;
  return JSON.stringify({
    ...{ schemaVersion: 2, mediaType: ociManifestType, artifactType: mediaType },
    config: { mediaType: "application/vnd.oci.empty.v1+json", digest: config, size: 2 },
    layers: [{ mediaType, digest, size: Buffer.byteLength(document), ...(annotations && { annotations }) }],
    ...(subject && { subject: { mediaType: ociManifestType, digest: subject, size: 1 } }),
  });
}

async function hold(world: TestDistribution): Promise<Held> {
  const { registry, store, send } = world;
  const alice = (await findAccount(store.db, "alice", "user")) as AccountRow;
  const [bob, carol, rita] = [await registry.user("bob"), await registry.user("carol"), await registry.user("rita")];
  await registry.organization("acme", { admin: [alice, carol], member: [bob, rita] });
  const image = await world.pushImage(name, "v1");
  const call = await registry.session(alice);
  for (const [user, role] of [
    ["bob", "write"],
    ["rita", "admin"],
  ] as const) {
    const { status } = await call("PUT", `/repository/${name}/permissions/user/${user}`, { role });
    if (status !== 200) throw new Error(`${status}`);
  }
  for (const owner of ["organization/acme", `repository/${name}`])
    await call("PUT", `/${owner}/pullgate`, { severity: "High" });
  const put: Held["put"] = async (as, reference, { body, type = ociManifestType }) => {
    const answer = await send("PUT", `${name}/manifests/${reference}`, { as, headers: { "content-type": type }, body });
    if (answer.status !== 201) throw new Error(`${answer.status}: ${await answer.text()}`);
  };
  const pull = (reference = "v1") => {
    registry.time.now += minute;
    return send("GET", `${name}/manifests/${reference}`);
  };
  const callOf = (account: AccountRow) => registry.session(account);
  return {
    ...{ world, image, put },
    calls: { alice: call, bob: await callOf(bob), carol: await callOf(carol), rita: await callOf(rita) },
    async attach(as, artifact, tag) {
      const manifest = await pushDocument(world, artifact);
      await put(as, tag ?? digestOf(manifest), { body: manifest });
      return digestOf(manifest);
    },
    async copyIn(artifact) {
      const content = await pushDocument(world, artifact);
      const repository = await findImageRepository(store.db, "acme", "app");
      if (repository === undefined) throw new Error("the repository is not there");
      const manifest = parseManifest(content, ociManifestType, 100);
      const { settings, time } = registry;
      const pushed = {
        ...{ repository, manifest, content, digest: digestOf(content) as never, labels: {}, tags: [], limits: [] },
        ...{ logged: [], headStartMs: undefined, emitsEvents: false, mayBePruned: false, now: time.now },
      };
      const ports = { clock: { now: () => time.now } };
      await store.transaction((db) => putManifest({ db, settings, ports }, pushed));
    },
    async refusedBy(reference) {
      const answer = await pull(reference);
      if (answer.status === 200) return [];
      const { errors } = (await answer.json()) as { errors: { detail: { gate: string } }[] };
      return errors.map(({ detail }) => detail.gate);
    },
    async refusal() {
      const { errors } = (await (await pull()).json()) as {
        errors: { message: string; detail: Record<string, unknown> }[];
      };
      return errors[0] ?? { message: "", detail: {} };
    },
  };
}

const both = ["organization"]; // the gate of the organization refuses first
const attTag = (digest: string) => `${digest.replace(":", "-")}.att`;
const statement = ({ image }: Held): Artifact => ({
  document: notAffected(image.digest),
  subject: image.digest,
});

/** What users do, and the gate that refuses the image afterwards: none if the statements of the document count for both. */
type Road = readonly [title: string, refusing: readonly string[], go: (held: Held) => Promise<unknown>];

const roads: readonly Road[] = [
  ["nobody attaches anything", both, async () => {}],
  ["a writer attaches a referrer", both, (held) => held.attach("bob", statement(held))],
  ["an admin of the organization attaches a referrer", [], (held) => held.attach("carol", statement(held))],
  ["an admin of the repository attaches a referrer", both, (held) => held.attach("rita", statement(held))],
  [
    "an admin of the repository attaches a referrer, and the organization has no gate",
    [],
    async (held) => {
      await held.attach("rita", statement(held));
      await held.calls.alice("DELETE", "/organization/acme/pullgate");
    },
  ],
  [
    "a writer attaches a referrer, and the organization has no gate",
    ["repository"],
    async (held) => {
      await held.attach("bob", statement(held));
      await held.calls.alice("DELETE", "/organization/acme/pullgate");
    },
  ],
  ["a mirror or a cache brings a referrer", both, (held) => held.copyIn(statement(held))],
  [
    "an admin attaches what a writer attached before",
    [],
    async (held) => {
      await held.attach("bob", statement(held));
      await held.attach("carol", statement(held));
    },
  ],
  [
    "a writer pushes again what an admin attached",
    [],
    async (held) => {
      await held.attach("carol", statement(held));
      await held.attach("bob", statement(held));
    },
  ],
  [
    "a writer deletes what an admin attached, and pushes it again",
    both,
    async (held) => {
      const digest = await held.attach("carol", statement(held));
      await held.world.send("DELETE", `${name}/manifests/${digest}`, { as: "bob" });
      await held.attach("bob", statement(held));
    },
  ],
  [
    "a writer restores by a tag what an admin attached and deleted",
    both,
    async (held) => {
      const digest = await held.attach("carol", statement(held));
      await held.world.send("DELETE", `${name}/manifests/${digest}`, { as: "carol" });
      const path = `/repository/${name}/tag/again/restore`;
      expect((await held.calls.bob("POST", path, { manifest_digest: digest })).status).toBe(201);
    },
  ],
  [
    "the admin who attached it is no longer one",
    both,
    async (held) => {
      await held.attach("carol", statement(held));
      expect(await held.refusedBy()).toEqual([]);
      expect((await held.calls.alice("DELETE", "/organization/acme/team/owners/members/carol")).status).toBe(204);
    },
  ],
  [
    "the admin who attached it is disabled",
    both,
    async (held) => {
      await held.attach("carol", statement(held));
      await held.world.store.db.updateTable("account").set({ enabled: 0 }).where("username", "=", "carol").execute();
    },
  ],
  [
    "a writer puts cosign's tag on it",
    both,
    (held) => held.attach("bob", { document: notAffected(held.image.digest) }, attTag(held.image.digest)),
  ],
  [
    "an admin puts cosign's tag on it",
    [],
    (held) => held.attach("carol", { document: notAffected(held.image.digest) }, attTag(held.image.digest)),
  ],
  [
    "a writer puts cosign's tag on what an admin pushed under another name",
    both,
    async (held) => {
      const digest = await held.attach("carol", { document: notAffected(held.image.digest) }, "draft");
      const path = `/repository/${name}/tag/${attTag(held.image.digest)}`;
      expect((await held.calls.bob("PUT", path, { manifest_digest: digest })).status).toBe(201);
    },
  ],
  [
    "an admin puts cosign's tag on what a writer pushed",
    [],
    async (held) => {
      const digest = await held.attach("bob", { document: notAffected(held.image.digest) }, "draft");
      const path = `/repository/${name}/tag/${attTag(held.image.digest)}`;
      expect((await held.calls.carol("PUT", path, { manifest_digest: digest })).status).toBe(201);
    },
  ],
  [
    "a writer restores cosign's tag that an admin has moved on",
    both,
    async (held) => {
      const tag = attTag(held.image.digest);
      const digest = await held.attach("carol", { document: notAffected(held.image.digest) }, tag);
      await held.attach("carol", { document: "{}", mediaType: "application/json" }, tag);
      const path = `/repository/${name}/tag/${tag}/restore`;
      expect((await held.calls.bob("POST", path, { manifest_digest: digest })).status).toBe(201);
    },
  ],
  [
    "a writer lengthens the time for which an admin attached it",
    both,
    async (held) => {
      const path = `/repository/${name}/tag/${attTag(held.image.digest)}`;
      await held.attach("carol", { document: notAffected(held.image.digest) }, attTag(held.image.digest));
      const expiration = Math.floor(held.world.registry.time.now / 1000) + 3600;
      expect((await held.calls.carol("PUT", path, { expiration })).status).toBe(201);
      expect(await held.refusedBy()).toEqual([]);
      expect((await held.calls.bob("PUT", path, { expiration: null })).status).toBe(201);
    },
  ],
  [
    "a writer attaches it to an index of theirs that lists the image",
    both,
    async (held) => {
      const manifests = [{ mediaType: ociManifestType, digest: held.image.digest, size: 1 }];
      const index = JSON.stringify({ schemaVersion: 2, mediaType: ociIndexType, manifests });
      await held.put("bob", "all", { body: index, type: ociIndexType });
      await held.attach("bob", { document: notAffected(digestOf(index)), subject: digestOf(index) });
    },
  ],
  [
    "an admin attaches it to an index that lists the image",
    [],
    async (held) => {
      const manifests = [{ mediaType: ociManifestType, digest: held.image.digest, size: 1 }];
      const index = JSON.stringify({ schemaVersion: 2, mediaType: ociIndexType, manifests });
      await held.put("bob", "all", { body: index, type: ociIndexType });
      await held.attach("carol", { document: notAffected(digestOf(index)), subject: digestOf(index) });
    },
  ],
  [
    "a writer attaches an SBOM with statements",
    both,
    (held) => {
      const analysis = { state: "not_affected" };
      const document = JSON.stringify({
        ...{ bomFormat: "CycloneDX", specVersion: "1.6" },
        components: [
          { type: "library", name: "semver", version: "7.5.1", purl: "pkg:npm/semver@7.5.1", "bom-ref": "a" },
        ],
        vulnerabilities: [{ id: "CVE-2022-25883", analysis, affects: [{ ref: "pkg:npm/semver@7.5.1" }] }],
      });
      return held.attach("bob", { document, mediaType: "application/vnd.cyclonedx+json", subject: held.image.digest });
    },
  ],
  [
    "a robot with write access attaches it",
    both,
    async (held) => {
      const owner = (await findAccount(held.world.store.db, "acme")) as AccountRow;
      await putRobot(held.world.registry, owner, { shortName: "ci", token: "ROBOTTOKEN" });
      const path = `/repository/${name}/permissions/user/acme+ci`;
      expect((await held.calls.alice("PUT", path, { role: "write" })).status).toBe(200);
      await held.attach("acme+ci", statement(held));
    },
  ],
  [
    "a writer makes a rule, an exception and a key",
    both,
    async ({ calls }) => {
      const expires = "2026-12-01T00:00:00Z";
      const rule = { vulnerability: "CVE-2022-25883", reason: "mine", expires };
      for (const owner of ["organization/acme", `repository/${name}`]) {
        for (const [path, body] of [
          ["ignorerules", rule],
          ["pullgate/exceptions", rule],
          ["pullgate/keys", { name: "mine", public_key: pemOf(theirs) }],
        ] as const)
          expect((await calls.bob("POST", `/${owner}/${path}`, body)).status).toBe(403);
      }
    },
  ],
  [
    "a writer tags the image, labels it and deletes its scan's documents",
    both,
    async (held) => {
      await held.put("bob", "v2", { body: held.image.content });
      const label = { key: "quay.vulnerabilities", value: "none", media_type: "text/plain" };
      await held.calls.bob("POST", `/repository/${name}/manifest/${held.image.digest}/labels`, label);
      await held.calls.bob("POST", `/repository/${name}/changevisibility`, { visibility: "public" });
    },
  ],
];

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

function attestedBy({ image: { digest } }: Held, pair: Pair): Artifact {
  return { document: attested(notAffected(digest), digest, pair), mediaType: dsse, subject: digest };
}

/** Signs an artifact as cosign does. */
async function tagSignature(held: Held, artifact: string, pair: Pair): Promise<void> {
  const image = { "docker-manifest-digest": artifact };
  const document = JSON.stringify({ critical: { identity: {}, image, type: "cosign container image signature" } });
  const annotations = { "dev.cosignproject.cosign/signature": signed(Buffer.from(document), pair) };
  const mediaType = "application/vnd.dev.cosign.simplesigning.v1+json";
  await held.attach("bob", { document, mediaType, annotations }, `${artifact.replace(":", "-")}.sig`);
}

async function viewOf({ world: { store, blobs, registry }, image }: Held) {
  const repository = await findImageRepository(store.db, "acme", "app");
  if (repository === undefined) throw new Error("the repository is not there");
  const context = { db: store.db, ports: { blobs, imageScanner: scanner }, now: registry.time.now };
  return viewManifestGate(context, { repository, reference: image.digest }, new AbortController().signal);
}

onEachEngine("statements and the pull gates", (plain) => {
  const test = (title: string, run: (held: Held) => Promise<void>) =>
    plain(title, async (world) => run(await hold(world)), { imageScanner: scanner });

  for (const [title, refusing, go] of roads) {
    test(`${refusing[0] ?? "nothing"} refuses the image if ${title}`, async (held) => {
      await go(held);

      expect(await held.refusedBy()).toEqual(refusing);
    });
  }

  for (const [title, refusing, go] of signatures) {
    test(`${refusing[0] ?? "nothing"} refuses the image where a key is named, if ${title}`, async (held) => {
      const key = { name: "release", public_key: pemOf(ours) };
      expect((await held.calls.carol("POST", "/organization/acme/pullgate/keys", key)).status).toBe(201);

      await go(held);

      expect(await held.refusedBy()).toEqual(refusing);
    });
  }

  test("are named where they do not count, with the reason and what to do", async (held) => {
    await held.attach("bob", statement(held));

    const { message, detail } = await held.refusal();

    const document = digestOf(notAffected(held.image.digest));
    const reason = "attached by bob, not by an admin of the organization acme";
    expect(message).toContain(
      `; the VEX document ${document} (${reason}) does not count until an admin of the organization attaches it, or it is signed by a key that the gate names; `,
    );
    expect(detail).toMatchObject({ gate: "organization", ignored_statements: [{ document, reason }] });
    const log = await held.world.registry.usageLog();
    expect(log.filter(({ kind }) => kind === "pull_repo_failed")).toMatchObject([
      { metadata: { pull_gate: { ignored_statements: [{ document, reason }] } } },
    ]);
  });

  test("are named with the account or the key by which the image passes", async (held) => {
    const key = { name: "release", public_key: pemOf(ours) };
    await held.calls.carol("POST", "/organization/acme/pullgate/keys", key);
    const seen: unknown[] = [];
    for (const [who, artifact] of [
      ["carol", statement(held)],
      ["bob", attestedBy(held, ours)],
    ] as const) {
      const artifactDigest = await held.attach(who, artifact);
      expect(await held.refusedBy()).toEqual([]);
      const { opinions, documents } = await viewOf(held);
      seen.push([opinions[0]?.statements, documents.map(({ organization }) => organization)]);
      await held.world.send("DELETE", `${name}/manifests/${artifactDigest}`);
    }

    const named = "the key release of the organization";
    expect(seen).toMatchObject([
      [[{ by: "carol" }], [{ counts: true, by: "carol" }]],
      [[{ by: named }], [{ counts: true, by: named }]],
    ]);
    const log = await held.world.registry.usageLog();
    const passed = log.filter(({ kind, metadata }) => kind === "pull_repo" && "pull_gate" in (metadata as object));
    expect(passed).toMatchObject([
      { metadata: { pull_gate: { gate: "organization", verdict: "allow", statements: [{ by: "carol" }] } } },
      { metadata: { pull_gate: { statements: [{ by: named }] } } },
    ]);
  });

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
