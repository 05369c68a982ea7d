import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { type IncomingMessage, request } from "node:http";
import { collectGarbage } from "@plimsoll/registry/lifecycle/collection/collect-garbage";
import type { BlobStore } from "@plimsoll/registry/ports/blob-store";
import type { LayerObserver } from "@plimsoll/registry/push/observe-layers";
import { createS3BlobStore } from "@plimsoll/registry-adapters/s3";
import { memoryTestEngine, startS3Server } from "@plimsoll/testing";
import { expect, it } from "vitest";
import { beginUpload, headersOf, onEachEngine } from "../fixtures/each-engine.ts";
import { digestOf, openTestDistribution, type TestDistribution } from "../fixtures/test-distribution.ts";

const name = "alice/images";
const engine = memoryTestEngine;

/** Sends the beginning of a body and is killed. */
async function dieInUpload(
  world: TestDistribution,
  location: string,
  { whole, sentBytes }: { readonly whole: Uint8Array; readonly sentBytes: number },
) {
  const closed = Promise.withResolvers<void>();
  const headers = { authorization: "Test alice", "content-length": whole.length };
  const sending = request(`http://${world.host}${location}`, { method: "PATCH", headers });
  sending.on("error", () => {}).on("close", closed.resolve);
  sending.write(whole.subarray(0, sentBytes), () => sending.destroy());
  await closed.promise;
}

/** Polls the progress of an upload until it has bytes. */
async function receivedOf({ send }: TestDistribution, location: string): Promise<number> {
  for (;;) {
    const [range] = headersOf(await send("GET", location), "range");
    const last = Number(range?.split("-")[1]);
    if (last > 0) return last + 1;
  }
}

const seen: string[] = [];
const observer: LayerObserver = {
  async observe(upload) {
    const chunks: Uint8Array[] = [];
    for await (const chunk of upload.open()) chunks.push(new Uint8Array(chunk));
    seen.push(`${await upload.digest} ${digestOf(Buffer.concat(chunks))}`);
  },
};

onEachEngine("uploads that are cut off", (test) => {
  test(
    "go on where they were, and are observed as a whole",
    async (world) => {
      const whole = new Uint8Array(randomBytes(3_000_000));
      const location = await beginUpload(world);
      await dieInUpload(world, location, { whole, sentBytes: 2_000_000 });

      const received = await receivedOf(world, location);
      const headers = { "content-range": `${received}-${whole.length - 1}` };
      const rest = await world.send("PATCH", location, { headers, body: whole.subarray(received) });
      const put = await world.send("PUT", `${location}?digest=${digestOf(whole)}`);

      expect(received).toBeLessThanOrEqual(2_000_000);
      expect([rest.status, put.status]).toEqual([202, 201]);
      const blob = await world.send("GET", `${name}/blobs/${digestOf(whole)}`);
      expect(digestOf(await blob.bytes())).toBe(digestOf(whole));
      await expect.poll(() => seen.splice(0)).toEqual([`${digestOf(whole)} ${digestOf(whole)}`]);
    },
    { observer },
  );
});

/** A store that tells how many bytes of uploads have arrived. */
function counting(blobs: BlobStore, onArrived: (bytes: number) => void): BlobStore {
  async function* counted(source: AsyncIterable<Uint8Array>) {
    for await (const chunk of source) {
      onArrived(chunk.length);
      yield chunk;
    }
  }
  return { ...blobs, append: (id, source, options) => blobs.append(id, counted(source), options) };
}

onEachEngine("an upload whose body arrives for days", (test) => {
  let arrived = 0;
  const wrapBlobs = (blobs: BlobStore) => counting(blobs, (bytes) => (arrived += bytes));
  test(
    "is not collected meanwhile",
    async (world) => {
      const { registry, store, blobs } = world;
      arrived = 0;
      const location = await beginUpload(world);
      const headers = { authorization: "Test alice", "content-length": 3000 };
      const sending = request(`http://${world.host}${location}`, { method: "PATCH", headers });
      const answered = once(sending, "response") as Promise<[IncomingMessage]>;
      const write = async (expected: number) => {
        sending.write("u".repeat(1000));
        await expect.poll(() => arrived).toBe(expected);
      };
      await write(1000);
      for (const expected of [2000, 3000]) {
        registry.time.now += 30 * 3_600_000;
        await write(expected);
        for await (const _ of collectGarbage({ store, blobs, now: registry.time.now, since: 0 }));
      }
      sending.end();
      const [{ statusCode }] = await answered;
      const put = await world.send("PUT", `${location}?digest=${digestOf("u".repeat(3000))}`);

      expect([statusCode, put.status]).toEqual([202, 201]);
    },
    { wrapBlobs },
  );
});

/** A store that reads a little of an upload, and the rest only when the test says so. */
function gated(gate: Promise<void>) {
  return (blobs: BlobStore): BlobStore => ({
    ...blobs,
    append: (uploadId, source, options) => blobs.append(uploadId, afterFirst(source, gate), options),
  });
}

async function* afterFirst(source: AsyncIterable<Uint8Array>, gate: Promise<void>): AsyncIterable<Uint8Array> {
  for await (const chunk of source) {
    yield chunk;
    await gate;
  }
}

it("makes a client wait for a store that is slower, instead of filling the memory", async () => {
  const gate = Promise.withResolvers<void>();
  await using world = await openTestDistribution({ engine, wrapBlobs: gated(gate.promise) });
  const location = await beginUpload(world);
  const chunk = new Uint8Array(1024 * 1024);
  let produced = 0;
  const body = new ReadableStream<Uint8Array>({
    pull: (controller) => (++produced > 64 ? controller.close() : controller.enqueue(chunk)),
  });
  const patch = world.send("PATCH", location, { body });

  for (let turn = 0; turn < 100; turn++) await world.send("GET", "/v2/");
  const whileWaiting = produced;
  gate.resolve();

  expect((await patch).status).toBe(202);
  expect(whileWaiting).toBeLessThan(32); // in the socket buffers of the kernel, not in the process
});

it("keeps blobs in an S3-compatible store, and sends clients there when it is told to", async () => {
  await using server = await startS3Server();
  await using resources = new AsyncDisposableStack();
  const plain = resources.use(await openTestDistribution({ engine, wrapBlobs: () => createS3BlobStore(server) }));
  const redirecting = resources.use(
    await openTestDistribution({ engine, wrapBlobs: () => createS3BlobStore({ ...server, redirectSeconds: 60 }) }),
  );

  const { layer } = await plain.pushImage(name, "latest");
  await redirecting.pushImage(name, "latest");
  const part = await plain.send("GET", `${name}/blobs/${layer}`, { headers: { range: "bytes=2-" } });
  const redirect = await redirecting.send("GET", `${name}/blobs/${layer}`);

  expect([part.status, await part.text()]).toEqual([206, "layer"]);
  expect(redirect.status).toBe(307);
  expect(await (await fetch(redirect.headers.get("location") ?? "")).text()).toBe("a layer");
});

it.each(["files", "S3"] as const)("lets a late reader have from %s what did not wait for it", async (kind) => {
  await using server = await startS3Server();
  const start = Promise.withResolvers<void>();
  const late: LayerObserver = {
    async observe(upload) {
      await start.promise;
      await observer.observe(upload);
    },
  };
  const wrapBlobs = kind === "S3" ? { wrapBlobs: () => createS3BlobStore(server) } : {};
  await using world = await openTestDistribution({ engine, observer: late, ...wrapBlobs });
  const whole = new Uint8Array(randomBytes(12_000_000)); // more than may wait
  const location = await beginUpload(world);

  const patch = await world.send("PATCH", location, { body: whole });
  const put = await world.send("PUT", `${location}?digest=${digestOf(whole)}`);
  start.resolve();

  expect([patch.status, put.status]).toEqual([202, 201]);
  await expect.poll(() => seen.splice(0)).toEqual([`${digestOf(whole)} ${digestOf(whole)}`]);
});
