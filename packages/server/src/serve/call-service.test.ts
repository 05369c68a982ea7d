import { once } from "node:events";
import { createServer, type RequestListener, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { callService } from "./call-service.ts";

const servers: Server[] = [];
async function start(listener: RequestListener): Promise<string> {
  const server = createServer(listener).listen(0, "127.0.0.1");
  servers.push(server);
  await once(server, "listening");
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

const request = { accept: "application/json", patienceMs: 200 };
let [works, hangs, busy, refuses]: readonly string[] = [];
beforeAll(async () => {
  works = await start((_, response) => response.end("{}"));
  hangs = await start(() => {});
  busy = await start((_, response) => response.writeHead(503).end());
  refuses = await start(() => {});
  await callService({ name: "indexer", addresses: [works] }, "/", { ...request, patienceMs: 60_000 }); // loads the modules
  const [last] = servers.splice(-1);
  last?.close();
});
afterAll(() => {
  for (const server of servers) {
    server.closeAllConnections();
    server.close();
  }
});

describe("callService", () => {
  it.each([
    ["works", () => [works]],
    ["is the second, where the first refuses connections", () => [refuses, works]],
    ["is the second, where the first takes no requests", () => [busy, works]],
    ["is the second, where the first does not answer in time", () => [hangs, works]],
  ])("is answered by the address that %s", async (_, addresses) => {
    const response = await callService({ name: "indexer", addresses: addresses() as readonly string[] }, "/", request);

    expect(await text(response.body)).toBe("{}");
  });

  it.each([
    ["refuses connections", () => refuses],
    ["takes no requests", () => busy],
    ["does not answer in time", () => hangs],
  ])("fails where the only address %s", async (_, address) => {
    const asked = callService({ name: "indexer", addresses: [address() ?? ""] }, "/", request);

    await expect(asked).rejects.toMatchObject({ name: "ScanError", code: "service_unavailable" });
  });
});
