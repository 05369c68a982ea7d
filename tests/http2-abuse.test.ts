/** What clients of HTTP/2 can make a server do beside their requests, and what ends it. `benchmarks/http2-abuse.ts` measures the cost. */
import type { AddressInfo } from "node:net";
import { loopbackCertificate } from "@plimsoll/testing";
import { pino } from "pino";
import { Agent, request } from "undici";
import { describe, expect, it } from "vitest";
import { createApiServer } from "../packages/server/src/serve/api-server.ts";
import { testApiServerOptions, thingsApi } from "../packages/server/src/serve/fixtures/test-api-server.ts";
import { frameOf, headerBlock, RawHttp2, requestOf, resetOf } from "./support/raw-http2.ts";

const { cert, key } = loopbackCertificate();
const attacker = "127.0.0.2";

/** A server with TLS, its log, its metrics of cut connections, and the requests that it has answered. */
async function startServer(trusted: readonly string[] = []) {
  const [lines, cuts, answered]: [Record<string, unknown>[], string[], number[]] = [[], [], []];
  const logger = pino(
    { level: "warn", base: null, messageKey: "event" },
    { write: (line) => void lines.push(JSON.parse(line)) },
  );
  const app = createApiServer({
    ...testApiServerOptions(),
    api: thingsApi,
    logger,
    tls: { cert, key },
    trusts: (address) => trusted.includes(address),
    processFigures: { noteCut: (reason) => void cuts.push(reason) },
    metrics: { observe: ({ status }) => void answered.push(status) },
  });
  await app.listen({ host: "127.0.0.1", port: 0 });
  const { port } = app.server.address() as AddressInfo;
  const dispatcher = new Agent({ connect: { ca: cert } });
  return {
    ...{ port, lines, cuts, answered },
    connect: () => RawHttp2.connect({ port, ca: cert, localAddress: attacker }),
    ask: async () => (await request(`https://127.0.0.1:${port}/scan/things`, { dispatcher })).statusCode,
    async [Symbol.asyncDispose]() {
      await dispatcher.close();
      await app.close();
    },
  };
}

const path = "/scan/things";
const streams = (count: number, each: (stream: number) => Buffer) =>
  Array.from({ length: count }, (_, index) => each(2 * index + 1));
const many = (frame: Buffer) => Array.from({ length: 20_000 }, () => frame);

describe.skipIf(process.platform !== "linux")("HTTP/2 connections", () => {
  it("drop requests that are cancelled in the same packet, and are cut after 200", async () => {
    await using server = await startServer();
    using client = await server.connect();

    await client.send(...streams(100, (stream) => Buffer.concat([requestOf(stream, path), resetOf(stream)])));
    await expect.poll(() => server.ask()).toBe(204);
    const answered = server.answered.length;
    const more = (stream: number) => Buffer.concat([requestOf(stream + 200, path), resetOf(stream + 200)]);
    await client.send(...streams(200, more));

    await expect.poll(() => client.isClosed).toBe(true);
    expect(answered).toBe(1);
    expect(server.cuts).toEqual(["requests_cancelled"]);
    expect(server.lines).toMatchObject([{ event: "connection_cut", reason: "requests_cancelled", address: attacker }]);
    expect(await server.ask()).toBe(204);
  });

  it.each<[string, readonly Buffer[]]>([
    ["settings", many(frameOf("settings", { payload: Buffer.from("000300000064", "hex") }))],
    ["pings", many(frameOf("ping", { payload: Buffer.alloc(8) }))],
    ["window updates", many(frameOf("windowUpdate", { payload: Buffer.from("00000001", "hex") }))],
    ["priorities", many(frameOf("priority", { stream: 1, payload: Buffer.from("0000000010", "hex") }))],
    [
      "headers that do not end",
      [
        frameOf("headers", { stream: 1, payload: headerBlock({ ":method": "GET" }) }),
        ...Array.from({ length: 300 }, () =>
          frameOf("continuation", { stream: 1, payload: headerBlock({ "x-long": "x".repeat(1_000) }) }),
        ),
      ],
    ],
    ["frames without content", [requestOf(1, path, { ":method": "POST" }), ...many(frameOf("data", { stream: 1 }))]],
  ])("are cut when they have many %s, and others are answered", async (_, frames) => {
    await using server = await startServer();
    using client = await server.connect();

    await client.send(...frames);

    await expect.poll(() => client.isClosed || client.goAway !== undefined).toBe(true);
    expect(await server.ask()).toBe(204);
  });

  it("of a network that was cut are refused before their handshake, and those of trusted proxies are not", async () => {
    for (const [trusted, expected] of [
      [[], "refused"],
      [[attacker], "accepted"],
    ] as const) {
      await using server = await startServer(trusted);
      using client = await server.connect();
      await client.send(...streams(300, (stream) => Buffer.concat([requestOf(stream, path), resetOf(stream)])));
      await expect.poll(() => client.isClosed).toBe(true);

      const again = await server.connect().then(
        (opened) => {
          opened[Symbol.dispose]();
          return "accepted";
        },
        () => "refused",
      );

      expect(again).toBe(expected);
      expect(server.cuts).toEqual(["requests_cancelled", ...(expected === "refused" ? ["shunned"] : [])]);
      expect(await server.ask()).toBe(204);
    }
  });

  it("answer a hundred requests at once, and refuse those above", async () => {
    await using server = await startServer();
    using client = await server.connect();

    await client.send(...streams(950, (stream) => requestOf(stream, path)));

    await expect.poll(() => client.answers + (client.resets.get(refusedStream) ?? 0)).toBe(950);
    expect(client.resets.get(refusedStream)).toBeGreaterThan(400); // others may begin when some are answered
    expect(server.cuts).toEqual([]);
  });

  it("may be slow and long: requests one after the other do not use up their budget", async () => {
    await using server = await startServer();
    using client = await server.connect();

    for (let count = 0; count < 1_000; count += 1) {
      await client.send(requestOf(2 * count + 1, path, { "x-long": "x".repeat(500) }));
      if (count % 50 === 49) await expect.poll(() => client.answers).toBe(count + 1);
    }

    expect(client.isClosed).toBe(false);
    expect(server.cuts).toEqual([]);
  });
});

const refusedStream = 7;
