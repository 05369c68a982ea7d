/** Bills of materials that the command signs, and attaches to images in registries. */
import { generateKeyPairSync, type KeyObject, scryptSync, verify } from "node:crypto";
import { join } from "node:path";
import { xsalsa20poly1305 } from "@noble/ciphers/salsa.js";
import { parseDigest } from "@plimsoll/core/digest";
import { sbomKind } from "@plimsoll/core/internal";
import { parseSource } from "@plimsoll/scanner";
import { blobsOf, buildImage, buildLayer, skipNote } from "@plimsoll/testing";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type CommandWorld, openCommandWorld } from "./support/command-world.ts";
import { runPlimsoll } from "./support/run-plimsoll.ts";
import { type SourceRegistry, sourceRegistries } from "./support/source-registries.ts";

let world: CommandWorld;
beforeAll(async () => {
  world = await openCommandWorld();
});
afterAll(() => world[Symbol.dispose]());

const image = buildImage({
  layers: [
    await buildLayer({
      "etc/os-release": "ID=alpine\nVERSION_ID=3.20.3\n",
      "lib/apk/db/installed": "P:musl\nV:1.2.5-r0\nA:x86_64\n",
    }),
  ],
});

const keys = [
  ["ECDSA P-256", generateKeyPairSync("ec", { namedCurve: "P-256" }), "sha256"],
  ["Ed25519", generateKeyPairSync("ed25519"), null],
] as const;

/** Writes a private key into a file. */
function fileOf(key: KeyObject, options: { readonly cipher?: string; readonly passphrase?: string } = {}): string {
  return world.folder.write("key.pem", String(key.export({ type: "pkcs8", format: "pem", ...options } as never)));
}

/** What is signed of an envelope. */
function signedBytes(payloadType: string, payload: Buffer): Buffer {
  return Buffer.concat([Buffer.from(`DSSEv1 ${payloadType.length} ${payloadType} ${payload.length} `), payload]);
}

describe("plimsoll sbom --attest", () => {
  it.each(keys)("signs a statement about the image with a key of %s", async (_, { privateKey, publicKey }, hash) => {
    const flags = ["--db", world.db, "--attest", fileOf(privateKey)];

    const { code, stdout } = await runPlimsoll(["sbom", world.image, "-o", "spdx", ...flags]);

    const { payloadType, payload, signatures } = JSON.parse(stdout);
    const bytes = Buffer.from(payload, "base64");
    const statement = JSON.parse(String(bytes));
    expect([code, payloadType, signatures.length]).toEqual([0, "application/vnd.in-toto+json", 1]);
    const signature = Buffer.from(signatures[0].sig, "base64");
    expect(verify(hash, signedBytes(payloadType, bytes), publicKey, signature)).toBe(true);
    expect(statement).toMatchObject({
      _type: "https://in-toto.io/Statement/v0.1",
      subject: [{ digest: { sha256: expect.stringMatching(/^[0-9a-f]{64}$/) } }],
      predicateType: "https://spdx.dev/Document",
      predicate: { spdxVersion: "SPDX-2.3" },
    });
    const read = await runPlimsoll(["index", `sbom:${world.folder.write("a.json", stdout)}`, "--db", world.db]);
    expect(read.stdout).toContain("libssl3");
  });

  it.each<readonly [string, () => KeyObject, object, string]>([
    [
      "an encrypted key",
      () => keys[1][1].privateKey,
      { cipher: "aes-256-cbc", passphrase: "a" },
      "found another encrypted one",
    ],
    ["a key of RSA", () => generateKeyPairSync("rsa", { modulusLength: 2048 }).privateKey, {}, "found rsa"],
    ["a key of another curve", () => generateKeyPairSync("ec", { namedCurve: "P-384" }).privateKey, {}, "secp384r1"],
  ])("refuses %s", async (_, key, options, message) => {
    const { code, stderr } = await runPlimsoll([
      "sbom",
      world.image,
      "--db",
      world.db,
      "--attest",
      fileOf(key(), options),
    ]);

    expect(code).toBe(2);
    expect(stderr).toContain(message);
  });

  /** A key as cosign encrypts it. */
  function sealedKey(password: string, label: string, more: object = {}): string {
    const [salt, nonce] = [Buffer.alloc(32, 1), Buffer.alloc(24, 2)];
    const cost = { N: 32768, r: 8, p: 1 };
    const key = scryptSync(password, salt, 32, { ...cost, maxmem: 64 * 1024 ** 2 });
    const der = keys[0][1].privateKey.export({ type: "pkcs8", format: "der" });
    const sealed = {
      kdf: { name: "scrypt", params: { ...cost, ...more }, salt: salt.toString("base64") },
      cipher: { name: "nacl/secretbox", nonce: nonce.toString("base64") },
      ciphertext: Buffer.from(xsalsa20poly1305(key, nonce).encrypt(der)).toString("base64"),
    };
    const lines = Buffer.from(JSON.stringify(sealed)).toString("base64").replaceAll(/.{64}/g, "$&\n");
    const pem = `-----BEGIN ENCRYPTED ${label} PRIVATE KEY-----\n${lines}\n-----END ENCRYPTED ${label} PRIVATE KEY-----\n`;
    return world.folder.write("cosign.key", pem);
  }

  it.each<[string, string, Record<string, string>, object, string]>([
    ["a key of cosign", "SIGSTORE", { COSIGN_PASSWORD: "a b" }, {}, ""],
    ["a key of an early cosign", "COSIGN", { COSIGN_PASSWORD: "a b" }, {}, ""],
    ["a wrong password", "SIGSTORE", { COSIGN_PASSWORD: "b" }, {}, "COSIGN_PASSWORD is not the password of the key"],
    ["no password", "SIGSTORE", {}, {}, "set COSIGN_PASSWORD to its password"],
    [
      "a key that needs too much memory",
      "SIGSTORE",
      { COSIGN_PASSWORD: "a b" },
      { N: 2 ** 30 },
      "or the key is damaged",
    ],
    [
      "a key that needs too many rounds",
      "SIGSTORE",
      { COSIGN_PASSWORD: "a b" },
      { p: 9999 },
      "expected a key of cosign with scrypt",
    ],
  ])("decrypts a key: %s", async (_, label, env, more, message) => {
    const words = ["sbom", world.image, "--db", world.db, "--attest", sealedKey("a b", label, more)];

    const { code, stdout, stderr } = await runPlimsoll(words, { env });

    expect(stderr).toContain(message);
    expect(code).toBe(message === "" ? 0 : 2);
    if (message !== "") return;
    const { payloadType, payload, signatures } = JSON.parse(stdout);
    const [signed, signature] = [signedBytes(payloadType, Buffer.from(payload, "base64")), signatures[0].sig];
    expect(verify(keys[0][2], signed, keys[0][1].publicKey, Buffer.from(signature, "base64"))).toBe(true);
  });

  it.each([
    ["a file that is no key", ["--attest", "package.json"], "expected a private key in PEM"],
    ["XML", ["--attest", "package.json", "-o", "cyclonedx-xml"], "not cyclonedx-xml"],
    ["another form", ["--attach", "-o", "json"], "json is not a bill of materials that registries know"],
    ["an image in a file", ["--attach"], "is not an image in a registry"],
  ])("refuses %s", async (_, flags, message) => {
    const { code, stderr } = await runPlimsoll(["sbom", world.image, "--db", world.db, ...flags]);

    expect(code).toBe(2);
    expect(stderr).toContain(message);
  });
});

describe("plimsoll scan --attest", () => {
  const scan = (...flags: string[]) =>
    runPlimsoll(["scan", world.image, "--db", world.db, "--attest", fileOf(keys[1][1].privateKey), ...flags], {
      env: { SOURCE_DATE_EPOCH: "1700000000" },
    });

  it.each([
    ["json", "https://cosign.sigstore.dev/attestation/vuln/v1"],
    ["sarif", "https://cosign.sigstore.dev/attestation/vuln/v1"],
    ["cyclonedx", "https://cyclonedx.org/bom"],
    ["openvex", "https://openvex.dev/ns"],
  ])("signs a report in the form %s", async (format, predicateType) => {
    const [attested, plain] = [
      await scan("-o", format),
      await runPlimsoll(["scan", world.image, "--db", world.db, "-o", format], {
        env: { SOURCE_DATE_EPOCH: "1700000000" },
      }),
    ];

    const { predicate, ...statement } = JSON.parse(String(Buffer.from(JSON.parse(attested.stdout).payload, "base64")));
    const at = "2023-11-14T22:13:20.000Z";
    expect(statement.predicateType).toBe(predicateType);
    expect(predicate.scanner?.result ?? predicate).toEqual(JSON.parse(plain.stdout));
    if (predicateType.includes("cosign")) expect(predicate.metadata).toEqual({ scanStartedOn: at, scanFinishedOn: at });
  });

  it.each([
    ["a table", [], "expected -o json, sarif"],
    ["several images", ["-o", "json", "--platform", "all"], "choose one --platform"],
  ])("refuses %s", async (_, flags, message) => {
    const { code, stderr } = await scan(...flags);

    expect(code).toBe(2);
    expect(stderr).toContain(message);
  });
});

/** Pushes the image as old registries take it: each blob in two requests. */
async function push({ host, headers }: SourceRegistry, repository: string): Promise<void> {
  const at = `http://${host}/v2/${repository}`;
  for (const { digest, bytes } of blobsOf(image).filter((blob) => blob.digest !== image.digest)) {
    const begun = await fetch(`${at}/blobs/uploads/`, { method: "POST", headers });
    const place = new URL(begun.headers.get("location") ?? "", begun.url);
    place.searchParams.set("digest", digest);
    await fetch(place, {
      method: "PUT",
      headers: { ...headers, "content-type": "application/octet-stream" },
      body: bytes,
    });
  }
  const type = { "content-type": image.mediaType };
  await fetch(`${at}/manifests/1`, { method: "PUT", headers: { ...headers, ...type }, body: image.bytes });
}

for (const { name, isMissing, open } of sourceRegistries) {
  describe.skipIf(isMissing)(
    `plimsoll sbom --attach in ${name}${skipNote(isMissing ? "not installed" : undefined)}`,
    () => {
      let registry: SourceRegistry;
      beforeAll(async () => {
        registry = await open();
        await push(registry, "alice/app");
      });
      afterAll(() => registry[Symbol.asyncDispose]());

      it("attaches documents and attestations, which are read back", async () => {
        const reference = `registry:${registry.host}/alice/app:1`;
        const env = { SOURCE_DATE_EPOCH: "1700000000" };
        const call = (...flags: string[]) =>
          runPlimsoll(["sbom", reference, "--db", world.db, "--attach", ...flags], { env });

        const plain = await call("-o", "spdx");
        const again = await call("-o", "spdx");
        const signed = await call("--attest", fileOf(keys[1][1].privateKey));

        expect([plain.code, plain.stderr, signed.code, signed.stderr]).toEqual([0, "", 0, ""]);
        expect(plain.stdout).toMatch(/^127\.0\.0\.1:\d+\/alice\/app@sha256:[0-9a-f]{64}\n$/);
        expect(again.stdout).toBe(plain.stdout);
        const source = await parseSource(reference);
        const attached = await source.readAttached?.(parseDigest(image.digest), { kind: sbomKind });
        const forms = attached?.documents.map(({ bytes }) => JSON.parse(new TextDecoder().decode(bytes)));
        expect(attached?.problems).toEqual([]);
        expect(forms?.map((each) => each.spdxVersion ?? each.specVersion).sort()).toEqual(["1.6", "SPDX-2.3"]);
      });

      it("puts attestations where cosign looks for them, too, one beside the other", async () => {
        const reference = `registry:${registry.host}/alice/app:1`;
        const attach = (...flags: string[]) =>
          runPlimsoll(
            ["sbom", reference, "--db", world.db, "--attach", "--attest", fileOf(keys[1][1].privateKey), ...flags],
            { env: { SOURCE_DATE_EPOCH: "1700000000" } },
          );

        for (const form of ["cyclonedx", "spdx", "cyclonedx"]) expect((await attach("-o", form)).code).toBe(0);

        const at = (path: string) =>
          fetch(`http://${registry.host}/v2/alice/app/${path}`, {
            headers: { ...registry.headers, accept: image.mediaType },
          });
        const tag = `sha256-${image.digest.slice("sha256:".length)}.att`;
        const { mediaType, config, layers } = (await (await at(`manifests/${tag}`)).json()) as {
          readonly mediaType: string;
          readonly config: { readonly mediaType: string; readonly digest: string };
          readonly layers: readonly {
            readonly mediaType: string;
            readonly digest: string;
            readonly annotations: Record<string, string>;
          }[];
        };
        expect([mediaType, config.mediaType]).toEqual([image.mediaType, "application/vnd.oci.image.config.v1+json"]);
        expect(layers.map(({ mediaType: type, annotations }) => [type, annotations])).toEqual(
          ["https://cyclonedx.org/bom", "https://spdx.dev/Document"].map((predicateType) => [
            "application/vnd.dsse.envelope.v1+json",
            { "dev.cosignproject.cosign/signature": "", predicateType },
          ]),
        );
        const { rootfs } = (await (await at(`blobs/${config.digest}`)).json()) as { readonly rootfs: object };
        expect(rootfs).toEqual({ type: "layers", diff_ids: layers.map(({ digest }) => digest) });
        const envelope = (await (await at(`blobs/${layers[0]?.digest}`)).json()) as { readonly payloadType: string };
        expect(envelope.payloadType).toBe("application/vnd.in-toto+json");
      });

      it.each(keys)("keeps an attestation of the same that is signed with the key of %s", async (_, { privateKey }) => {
        const attach = (key: KeyObject) =>
          runPlimsoll(
            ["sbom", `registry:${registry.host}/alice/app:1`, "--db", world.db, "--attach", "--attest", fileOf(key)],
            { env: { SOURCE_DATE_EPOCH: "1600000000" } },
          );
        const other = generateKeyPairSync("ec", { namedCurve: "P-256" }).privateKey;

        const [first, again, different] = [await attach(privateKey), await attach(privateKey), await attach(other)];

        expect([first.code, again.stderr]).toEqual([0, ""]);
        expect(again.stdout).toBe(first.stdout);
        expect(different.stdout).not.toBe(first.stdout);
      });

      it("writes the document into a file, too", async () => {
        const file = join(world.folder.path, "app.cdx.json");

        const { code, stdout } = await runPlimsoll([
          "sbom",
          `${registry.host}/alice/app:1`,
          "--db",
          world.db,
          "--attach",
          "-o",
          file,
        ]);

        expect([code, stdout.split("\n").length]).toEqual([0, 2]);
        const read = await runPlimsoll(["index", `sbom:${file}`, "--db", world.db]);
        expect(read.stdout).toContain("musl");
      });
    },
  );
}
