/** The responses of the registry while the blob store is down or hangs. */
import { once } from "node:events";
import { createServer, type Server } from "node:http";
import type { AddressInfo, Socket } from "node:net";
import { setTimeout as delay } from "node:timers/promises";
import { parseDigest } from "@plimsoll/core/digest";
import type { BlobStore } from "@plimsoll/registry/ports/blob-store";
import { createS3BlobStore } from "@plimsoll/registry-adapters/s3";
import { collectGarbage, memoryTestEngine, startS3Server } from "@plimsoll/testing";
import { afterEach, describe, expect, it } from "vitest";
import { beginUpload, errorOf, headersOf } from "../fixtures/each-engine.ts";
import { digestOf, openTestDistribution } from "../fixtures/test-distribution.ts";

const name = "alice/images";

/** Accepts connections and never answers, like a frozen process. */
async function startFrozen() {
  const sockets = new Set<Socket>();
  const server: Server = createServer(() => {}).listen(0, "127.0.0.1");
  server.on("connection", (socket) => sockets.add(socket));
  await once(server, "listening");
  const stop = async () => {
    for (const socket of sockets) socket.destroy();
    await new Promise((resolve) => server.close(resolve));
  };
  return { endpoint: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, stop };
}

/** A registry whose store can be replaced by another. */
async function openWorld() {
  const s3 = await startS3Server();
  const { endpoint: _, ...location } = s3;
  let current = createS3BlobStore(s3);
  const blobs = new Proxy({} as BlobStore, { get: (_, key) => Reflect.get(current, key) });
  const world = await openTestDistribution({ engine: memoryTestEngine, wrapBlobs: () => blobs });
  return {
    world,
    moveTo: (endpoint: string) => {
      current = createS3BlobStore({ ...location, endpoint, answerSeconds: 0.2 });
    },
    [Symbol.asyncDispose]: async () => {
      await world[Symbol.asyncDispose]();
      await s3[Symbol.asyncDispose]();
    },
  };
}

const stops: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const stop of stops.splice(0)) await stop();
});

const outages: Readonly<Record<string, () => Promise<string>>> = {
  down: async () => {
    const { endpoint, stop } = await startFrozen();
    await stop();
    return endpoint;
  },
  hanging: async () => {
    const { endpoint, stop } = await startFrozen();
    stops.push(stop);
    return endpoint;
  },
};

it("a hanging blob store is given up in time although garbage is collected meanwhile", async () => {
  const { endpoint, stop } = await startFrozen();
  stops.push(stop);
  const place = { bucket: "blobs", region: "", accessKeyId: "key", secretAccessKey: "secret" };
  const store = createS3BlobStore({ ...place, endpoint, answerSeconds: 0.2 });
  const collecting = setInterval(collectGarbage, 20);

  const asking = store.find(parseDigest(digestOf("a layer"))).catch((error: unknown) => error);
  const answered = await Promise.race([asking, delay(5_000, "no answer")]);
  clearInterval(collecting);

  expect(answered).toMatchObject({ code: "unavailable" });
});

describe.each(Object.entries(outages))("with a blob store that is %s", (_, breakStore) => {
  it("answers what needs it with 503 and Retry-After, in the form of the protocol", async () => {
    await using outage = await openWorld();
    const { world, moveTo } = outage;
    const digest = await world.pushBlob(name, "a layer");
    const upload = await beginUpload(world);
    moveTo(await breakStore());

    const answers = [
      await world.send("GET", `${name}/blobs/${digest}`),
      await world.send("GET", `${name}/blobs/${digest}`, { headers: { range: "bytes=1-2" } }),
      await world.send("PATCH", upload, { body: "some bytes" }),
      await world.send("PUT", `${upload}?digest=${digestOf("some bytes")}`, { body: "some bytes" }),
    ];

    for (const answer of answers) {
      expect(headersOf(answer, "retry-after")).toEqual(["5"]);
      expect(await errorOf(answer)).toBe("503 UNKNOWN");
    }
    expect((await world.send("HEAD", `${name}/blobs/${digest}`)).status).toBe(200);
  });
});
