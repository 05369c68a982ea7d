import { createHash } from "node:crypto";
import { parseDigest } from "@plimsoll/core";
import { startS3Server } from "@plimsoll/testing";
import { describe, expect, it } from "vitest";
import { BlobStoreError } from "../../ports.ts";
import { blobStoreContract } from "./fixtures/blob-store-contract.ts";
import { createS3BlobStore } from "./s3-blob-store.ts";

const limits = { maxBytes: 64 * 1024 * 1024 };

async function* stream(bytes: Uint8Array): AsyncIterable<Uint8Array> {
  for (let at = 0; at < bytes.length; at += 65_536) yield bytes.subarray(at, at + 65_536);
}

function digestOf(bytes: Uint8Array) {
  return parseDigest(`sha256:${createHash("sha256").update(bytes).digest("hex")}`);
}

describe("createS3BlobStore", () => {
  it.each(blobStoreContract)("$name", async ({ run }) => {
    await using server = await startS3Server();
    const open = () => createS3BlobStore({ ...server, prefix: "registry/" });

    await run({ store: open(), reopen: open });

    expect(server.openUploads()).toBe(0);
  });

  it("lets the store copy large parts and sends none of them again", async () => {
    await using server = await startS3Server();
    const store = createS3BlobStore(server);
    const content = new Uint8Array(20 * 1024 * 1024).fill(7);
    await store.append("one", 0, stream(content), limits);
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
    await store.append("one", 0, stream(content), limits);
    const [first = ""] = server.objects.keys();
    (server.objects as Map<string, Uint8Array>).set(first, new Uint8Array(8 * 1024 * 1024).fill(8));

    await expect(store.commit("one", digestOf(content))).rejects.toMatchObject({ code: "wrong_digest" });

    expect(await store.find(digestOf(content))).toBeUndefined();
  });

  it("sends clients to the store with an address that is signed", async () => {
    await using server = await startS3Server();
    const store = createS3BlobStore({ ...server, redirectSeconds: 60 });
    const content = new TextEncoder().encode("what it holds");
    await store.append("one", 0, stream(content), limits);
    await store.commit("one", digestOf(content));

    const address = (await store.findAddress(digestOf(content))) ?? "";
    const [good, forged] = await Promise.all([fetch(address), fetch(address.replace("Expires=60", "Expires=90"))]);

    expect([good.status, await good.text(), forged.status]).toEqual([200, "what it holds", 403]);
    expect(await createS3BlobStore(server).findAddress(digestOf(content))).toBeUndefined();
  });

  it("tries again what failed at the store, and says when it cannot be used", async () => {
    await using server = await startS3Server();
    const store = createS3BlobStore(server);
    server.fail(2);
    expect(await store.find(digestOf(new Uint8Array()))).toBeUndefined();

    const stranger = createS3BlobStore({ ...server, secretAccessKey: "wrong" });
    const refused = stranger.append("one", 0, stream(new Uint8Array(3)), limits);

    await expect(refused).rejects.toBeInstanceOf(BlobStoreError);
    await expect(refused).rejects.toMatchObject({ code: "unavailable" });
  });

  it("takes nothing where there is no bucket", async () => {
    await using server = await startS3Server();
    const store = createS3BlobStore({ ...server, bucket: "missing" });
    const unavailable = { code: "unavailable" };

    await expect(store.append("one", 0, stream(new Uint8Array(3)), limits)).rejects.toMatchObject(unavailable);
    await expect(store.countReceived("one")).rejects.toMatchObject(unavailable);
    await expect(store.listUploads()[Symbol.asyncIterator]().next()).rejects.toMatchObject(unavailable);
  });
});
