import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { digestAlgorithm, digestHex, parseDigest } from "@plimsoll/core/digest";
import { BlobStoreError } from "@plimsoll/registry/ports/blob-store";
import { findRealS3, startProxyServer, startS3Server } from "@plimsoll/testing";
import { describe, expect, it } from "vitest";
import { type BlobStoreSubject, blobStoreContract } from "./fixtures/blob-store-contract.ts";
import { createS3BlobStore, type S3BlobStoreOptions } from "./s3-blob-store.ts";
import { openS3Bucket } from "./s3-bucket.ts";
import { readXml } from "./s3-xml.ts";

const limits = { maxBytes: 64 * 1024 * 1024 };

async function* stream(bytes: Uint8Array): AsyncIterable<Uint8Array> {
  for (let at = 0; at < bytes.length; at += 65_536) yield bytes.subarray(at, at + 65_536);
}

function digestOf(bytes: Uint8Array) {
  return parseDigest(`sha256:${createHash("sha256").update(bytes).digest("hex")}`);
}

/** Changes the content of a blob in a bucket. */
function damageOf({ prefix = "", ...location }: S3BlobStoreOptions): BlobStoreSubject["damage"] {
  return async (digest, body) => {
    const hex = digestHex(digest);
    const key = `${prefix}blobs/${digestAlgorithm(digest)}/${hex.slice(0, 2)}/${hex}`;
    await openS3Bucket(location).send({ method: "PUT", key, body });
  };
}

const stores = [
  { store: "any store", options: {} },
  { store: "a store without conditional writes", options: { conditionalWrites: false } },
];

describe.each(stores)("createS3BlobStore on $store", ({ options }) => {
  it.each(blobStoreContract)("$name", async ({ run }) => {
    await using server = await startS3Server(options);
    const location = { ...server, prefix: "registry/" };
    const open = () => createS3BlobStore(location);

    await run({ store: open(), reopen: open, damage: damageOf(location) });

    expect(server.openUploads()).toBe(0);
  });

  it("recognizes its own object if the response to its write was lost", async () => {
    await using server = await startS3Server(options);
    const store = createS3BlobStore(server);
    const content = new Uint8Array(9 * 1024 * 1024).fill(7);
    await store.append("one", stream(content.subarray(0, 10)), { offset: 0, ...limits });

    server.loseAnswers(2);
    await store.append("one", stream(content.subarray(10)), { offset: 10, ...limits });

    expect(await store.commit("one", digestOf(content))).toBe(content.length);
  });
});

describe("createS3BlobStore by the credentials of a role, with the bucket in the host", () => {
  it.each(blobStoreContract)("$name", async ({ run }) => {
    const sessionToken = "session/of+a+role";
    await using server = await startS3Server({ sessionToken });
    await using proxy = await startProxyServer();
    const { accessKeyId, secretAccessKey, bucket, region } = server;
    proxy.lead(`${bucket}.s3.example.com`, Number(new URL(server.endpoint).port));
    const credentials = async () => ({ accessKeyId, secretAccessKey, sessionToken });
    const place = { endpoint: "http://s3.example.com", bucket, region, addressing: "virtual-host" } as const;
    const location = { ...place, credentials, proxy: { httpProxy: proxy.url } };
    const open = () => createS3BlobStore(location);

    await run({ store: open(), reopen: open, damage: damageOf(location) });
  });
});

const real = findRealS3();

describe("createS3BlobStore on the store that PLIMSOLL_TEST_S3 names", () => {
  it.skipIf(real === undefined).each(blobStoreContract)(
    "$name",
    async ({ run }) => {
      const location = findRealS3();
      assert(location);

      const open = () => createS3BlobStore(location);
      await run({ store: open(), reopen: open, damage: damageOf(location) });
    },
    60_000,
  );

  it.skipIf(real === undefined)("aborts what a commit has begun whose process died", async ({ skip }) => {
    const location = findRealS3();
    assert(location);
    const bucket = openS3Bucket(location);
    const key = `${location.prefix}blobs/a`;
    const { text } = await bucket.send({ method: "POST", key, query: { uploads: "" } });
    const uploadId = (await readXml(text)).text("UploadId") ?? "";
    const listParts = async () => (await bucket.send({ method: "GET", key, query: { uploadId } })).status;
    expect(await listParts()).toBe(200);
    const listed = await bucket.send({ method: "GET", query: { uploads: "", prefix: location.prefix } });
    skip(
      !listed.text.includes(key),
      "it lists uploads by whole keys only, as MinIO, which aborts them itself after a day",
    );

    await createS3BlobStore(location).removeRemains(Date.now() + 60_000);

    expect(await listParts()).toBe(404);
  });
});

describe("createS3BlobStore", () => {
  it("has the store copy large parts, and sends none of them again", async () => {
    await using server = await startS3Server();
    const store = createS3BlobStore(server);
    const content = new Uint8Array(20 * 1024 * 1024).fill(7);
    await store.append("one", stream(content), { offset: 0, ...limits });
    const sent = server.requests.length;

    await store.commit("one", digestOf(content));

    const committing = server.requests.slice(sent);
    expect(committing.filter((request) => request.startsWith("GET uploads/"))).toHaveLength(1); // the last part, which is small
    expect(await store.find(digestOf(content))).toBe(content.length);
  });

  it("commits nothing when a part has changed since it was hashed", async () => {
    await using server = await startS3Server();
    const store = createS3BlobStore(server);
    const content = new Uint8Array(20 * 1024 * 1024).fill(7);
    await store.append("one", stream(content), { offset: 0, ...limits });
    const [first = ""] = server.objects.keys();
    (server.objects as Map<string, Uint8Array>).set(first, new Uint8Array(8 * 1024 * 1024).fill(8));

    await expect(store.commit("one", digestOf(content))).rejects.toMatchObject({ code: "wrong_digest" });

    expect(await store.find(digestOf(content))).toBeUndefined();
  });

  it("sends clients to the store with an address that is signed", async () => {
    await using server = await startS3Server();
    const store = createS3BlobStore({ ...server, redirectSeconds: 60 });
    const content = new TextEncoder().encode("what it holds");
    await store.append("one", stream(content), { offset: 0, ...limits });
    await store.commit("one", digestOf(content));

    const address = (await store.findAddress(digestOf(content))) ?? "";
    const [good, forged] = await Promise.all([fetch(address), fetch(address.replace("Expires=60", "Expires=90"))]);

    expect([good.status, await good.text(), forged.status]).toEqual([200, "what it holds", 403]);
    expect(await createS3BlobStore(server).findAddress(digestOf(content))).toBeUndefined();
  });

  it("aborts multipart uploads of killed processes after a while, and only those of its prefix", async () => {
    await using server = await startS3Server();
    const store = createS3BlobStore({ ...server, prefix: "registry/" });
    const bucket = openS3Bucket(server);
    const keys = ["other/blobs/a", ...["a", "a", "b", "c", "d"].map((name) => `registry/blobs/sha256/${name}`)];
    for (const key of keys) await bucket.send({ method: "POST", key, query: { uploads: "" } });

    await store.removeRemains(Date.now() - 60_000);
    expect(server.openUploads()).toBe(6);
    await store.removeRemains(Date.now() + 60_000);
    expect(server.openUploads()).toBe(1);
  });

  it("tries again what failed at the store", async () => {
    await using server = await startS3Server();
    const store = createS3BlobStore(server);

    server.fail(2);
    expect(await store.find(digestOf(new Uint8Array()))).toBeUndefined();
    server.loseAnswers(2);
    expect(await store.find(digestOf(new Uint8Array()))).toBeUndefined();
  });

  it("tries again what the store answers with 200 and an error", async () => {
    await using server = await startS3Server();
    const store = createS3BlobStore(server);
    const content = new Uint8Array(9 * 1024 * 1024).fill(7);
    await store.append("one", stream(content), { offset: 0, ...limits });

    server.failInside(3);
    const committed = await store.commit("one", digestOf(content));
    server.failInside(9);
    const refused = store.commit("one", digestOf(content));

    expect(committed).toBe(content.length);
    await expect(refused).rejects.toMatchObject({
      code: "unavailable",
      message: expect.stringMatching(/answered 200 with InternalError/),
    });
  });

  it.each([
    {
      what: "a wrong secret",
      wrong: { secretAccessKey: "wrong" },
      message: /answered 403 to GET .*SignatureDoesNotMatch/,
    },
    {
      what: "a bucket that is missing",
      wrong: { bucket: "gone" },
      message: /404 to GET in the bucket gone: NoSuchBucket/,
    },
  ])("says what is wrong with $what", async ({ wrong, message }) => {
    await using server = await startS3Server();
    const store = createS3BlobStore({ ...server, ...wrong });

    const refused = store.append("one", stream(new Uint8Array(3)), { offset: 0, ...limits });

    await expect(refused).rejects.toBeInstanceOf(BlobStoreError);
    await expect(refused).rejects.toMatchObject({ code: "unavailable", message: expect.stringMatching(message) });
  });

  it("says that a server is down", async () => {
    const server = await startS3Server();
    await server[Symbol.asyncDispose]();

    const refused = createS3BlobStore(server).find(digestOf(new Uint8Array()));

    await expect(refused).rejects.toMatchObject({
      code: "unavailable",
      message: expect.stringContaining("cannot be reached: connect ECONNREFUSED"),
    });
  });
});
