import { generateKeyPairSync, type KeyObject } from "node:crypto";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { readSignatureKeys, wantsBuilds } from "./open-registry.ts";

const { publicKey, privateKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
const pemOf = (key: KeyObject) => key.export({ type: "spki", format: "pem" }).toString();
const pem = pemOf(publicKey);

let folder: string;

it.each([
  [{ userCreation: true }, false],
  [{ userCreation: false }, true],
  [{ userCreation: true, builds: true }, true],
  [{ userCreation: false, builds: false }, false],
])("with %j, builds are wanted: %s", (features, wanted) => {
  expect(wantsBuilds(features)).toBe(wanted);
});
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "plimsoll-keys-"));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

describe("readSignatureKeys", () => {
  it("reads one public key from each file", async () => {
    const file = join(folder, "cosign.pub");
    await writeFile(file, pem);

    expect(await readSignatureKeys([file, file])).toEqual([pem, pem]);
  });

  it.each([
    { what: "is no key", text: "cosign" },
    { what: "is empty", text: "" },
    { what: "is a private key", text: privateKey.export({ type: "pkcs8", format: "pem" }).toString() },
    { what: "has two keys", text: pem + pem },
    { what: "is a key that signs nothing", text: pemOf(generateKeyPairSync("x25519").publicKey) },
    { what: "is a key that cosign does not know", text: pemOf(generateKeyPairSync("ed448").publicKey) },
  ])("says which file $what", async ({ text }) => {
    const file = join(folder, "bad.pub");
    await writeFile(file, text);

    await expect(readSignatureKeys([file])).rejects.toThrow(
      `mirrorSignatureKeys: ${file}: expected one public key of ECDSA, Ed25519 or RSA in PEM`,
    );
  });

  it("says which file is missing", async () => {
    await expect(readSignatureKeys([join(folder, "none.pub")])).rejects.toThrow(/mirrorSignatureKeys: .*none\.pub/);
  });
});
