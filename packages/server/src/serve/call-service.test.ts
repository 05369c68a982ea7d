import { once } from "node:events";
import { createServer, type RequestListener, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { callService } from "./call-service.ts";
import { watchOutage } from "./outages.ts";

const servers: Server[] = [];
async function start(listener: RequestListener): Promise<string> {
  const server = createServer(listener).listen(0, "127.0.0.1");
  servers.push(server);
  await once(server, "listening");
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

let [works, hangs, busy, refuses]: readonly string[] = [];
beforeAll(async () => {
  works = await start((_, response) => response.end("{}"));
  hangs = await start(() => {});
  busy = await start((_, response) => response.writeHead(503).end());
  refuses = await start(() => {});
  const [last] = servers.splice(-1);
  last?.close();
});
afterAll(() => {
  for (const server of servers) {
    server.closeAllConnections();
    server.close();
  }
});

const request = { accept: "application/json", patienceMs: 200 };

describe("callService", () => {
  it.each([
    ["works", () => [works]],
    ["is the second, where the first refuses connections", () => [refuses, works]],
    ["is the second, where the first takes no requests", () => [busy, works]],
    ["is the second, where the first does not answer in time", () => [hangs, works]],
  ])("is answered by the address that %s", async (_, addresses) => {
    const response = await callService({ addresses: addresses() as readonly string[] }, "/", request);

    expect(await response.text()).toBe("{}");
  });

  it.each([
    ["refuses connections", () => refuses],
    ["takes no requests", () => busy],
    ["does not answer in time", () => hangs],
  ])("fails where the only address %s", async (_, address) => {
    const asked = callService({ addresses: [address() ?? ""] }, "/", request);

    await expect(asked).rejects.toMatchObject({ name: "ScanError", code: "source_unreachable" });
  });

  it("logs an outage once, and its end once", async () => {
    const lines: string[] = [];
    const logger = {
      warn: (_: object, event: string) => void lines.push(event),
      info: (_: object, event: string) => void lines.push(event),
    };
    const outage = watchOutage(logger as never, "indexer");
    const ask = (address = "") => callService({ addresses: [address], outage }, "/", request).catch(() => {});

    for (const address of [works, refuses, busy, refuses, works, works]) await ask(address);

    expect(lines).toEqual(["dependency_failed", "dependency_works_again"]);
  });
});
