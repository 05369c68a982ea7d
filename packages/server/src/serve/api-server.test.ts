import { once } from "node:events";
import { connect as connectHttp2 } from "node:http2";
import { type AddressInfo, connect as connectPlain, type Socket } from "node:net";
import { text } from "node:stream/consumers";
import { setImmediate as turn } from "node:timers/promises";
import { type ConnectionOptions, connect } from "node:tls";
import type { OpenedRegistry } from "@plimsoll/registry-api";
import { loopbackCertificate, openTransportClient, testTransports } from "@plimsoll/testing";
import type { FastifyInstance } from "fastify";
import { pino } from "pino";
import { afterEach, describe, expect, it, vi } from "vitest";
import { type ApiServerOptions, createApiServer } from "./api-server.ts";
import { Traffic } from "./bound-traffic.ts";
import { emptyRegistry, testApiServerOptions, thingsApi } from "./fixtures/test-api-server.ts";
import { defaultTrafficLimits } from "./traffic-limits.ts";

const registry: OpenedRegistry = {
  ...emptyRegistry,
  refuseMalformedUrl({ message }, { url }, { raw }) {
    raw.writeHead(400, { "content-type": "application/json" });
    raw.end(JSON.stringify({ registry: url, message }));
  },
};
const { cert, key } = loopbackCertificate();

/** Starts a server with or without a certificate. */
async function start(
  tls: ApiServerOptions["tls"],
  parts: Partial<Pick<ApiServerOptions, "api" | "registry" | "stage" | "traffic">> = {},
) {
  const app = createApiServer({ ...testApiServerOptions(), ...parts, ...(tls && { tls }) });
  const sockets = new Set<Socket>();
  app.server.on(tls === undefined ? "connection" : "secureConnection", (socket: Socket) => sockets.add(socket));
  await app.listen({ host: "127.0.0.1", port: 0 });
  return { port: (app.server.address() as AddressInfo).port, sockets, [Symbol.asyncDispose]: () => app.close() };
}

/** The version of TLS in which a client is answered, or the code of the alert that ends its handshake. */
async function handshake(port: number, offered: ConnectionOptions): Promise<string | null> {
  const socket = connect({ port, host: "127.0.0.1", ca: cert, ...offered });
  const refused = await once(socket, "secureConnect").then(
    () => undefined,
    ({ code }) => String(code),
  );
  if (refused !== undefined) return refused;
  const version = socket.getProtocol();
  socket.write("GET /robots.txt HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n\r\n");
  expect(await text(socket)).toMatch(/^HTTP\/1\.1 200 /);
  return version;
}

/** The time limit to receive a request; answering it may take ten times as long. */
const firstRequestMs = 1_000;

afterEach(() => void vi.useRealTimers());

const noSuite = "ERR_SSL_SSL/TLS_ALERT_HANDSHAKE_FAILURE";
const noVersion = "ERR_SSL_TLSV1_ALERT_PROTOCOL_VERSION";

describe("createApiServer", () => {
  it("leaves it to the service to log that it listens", async () => {
    const lines: string[] = [];
    const logger = pino({ level: "debug" }, { write: (line: string) => lines.push(line) });
    const app = createApiServer({ ...testApiServerOptions(), logger });

    await app.listen({ host: "127.0.0.1", port: 0 });
    await app.close();

    expect(lines).toEqual([]);
  });

  it.each(testTransports)("tells browsers to use only TLS, over %s", async (transport) => {
    await using client = openTransportClient(transport);
    await using server = await start(client.scheme === "https" ? { cert, key } : undefined);
    const ask = (path: string) => client.fetch(`${client.scheme}://127.0.0.1:${server.port}${path}`);

    const answers = [await ask("/robots.txt"), await ask("/nothing-is-here")];

    const expected = client.scheme === "https" ? "max-age=31536000" : null;
    expect(answers.map(({ status, headers }) => [status, headers.get("strict-transport-security")])).toEqual([
      [200, expected],
      [404, expected],
    ]);
  });

  it.each<{ readonly offered: ConnectionOptions; readonly ends: string }>([
    { offered: {}, ends: "TLSv1.3" },
    { offered: { maxVersion: "TLSv1.2" }, ends: "TLSv1.2" },
    {
      offered: { maxVersion: "TLSv1.2", ciphers: "ECDHE-RSA-AES128-GCM-SHA256:ECDHE-ECDSA-AES128-GCM-SHA256" },
      ends: "TLSv1.2",
    },
    { offered: { maxVersion: "TLSv1.2", ciphers: "ECDHE-RSA-AES128-SHA256:ECDHE-ECDSA-AES128-SHA256" }, ends: noSuite },
    { offered: { maxVersion: "TLSv1.2", ciphers: "ECDHE-RSA-AES256-SHA:ECDHE-ECDSA-AES256-SHA" }, ends: noSuite },
    { offered: { maxVersion: "TLSv1.2", ciphers: "AES128-SHA:AES256-SHA256:AES128-GCM-SHA256" }, ends: noSuite },
    { offered: { minVersion: "TLSv1", maxVersion: "TLSv1.1", ciphers: "ALL@SECLEVEL=0" }, ends: noVersion },
  ])("ends the handshake of a client that offers $offered with $ends", async ({ offered, ends }) => {
    await using server = await start({ cert, key });

    expect(await handshake(server.port, offered)).toBe(ends);
  });

  it.each([
    { url: "/scan/things", hosts: "", body: { code: "bad-request", message: expect.stringContaining("found none") } },
    { url: "/v2/", hosts: "", body: { registry: "/v2/", message: expect.stringContaining("found none") } },
    { url: "/scan/things", hosts: "Host: a\r\nhost: a\r\n", body: { message: expect.stringContaining("found 2") } },
    { url: "/v2/", hosts: "Host: a\r\nHost: b\r\n", body: { message: expect.stringContaining("found 2") } },
    { url: "/v2/", hosts: "Host: exa mple\r\n", body: { message: expect.stringContaining("found another text") } },
    { url: "/scan/things", hosts: "Host: a/b\r\n", body: { message: expect.stringContaining("found another text") } },
    { url: "/v2/", hosts: "Host: user@a\r\n", body: { message: expect.stringContaining("found another text") } },
    { url: "/v2/", hosts: "Host: a:b\r\n", body: { message: expect.stringContaining("found another text") } },
  ])(
    "rejects HTTP/1.1 without exactly one valid Host at $url in the form of that API: $hosts",
    async ({ url, hosts, body }) => {
      for (const tls of [undefined, { cert, key }]) {
        await using server = await start(tls, { api: thingsApi, registry });
        const at = { port: server.port, host: "127.0.0.1", ca: cert };
        const socket = tls === undefined ? connectPlain(at) : connect(at);
        socket.write(`GET ${url} HTTP/1.1\r\n${hosts}Connection: close\r\n\r\n`);
        const [head = "", answer = ""] = (await text(socket)).split("\r\n\r\n");

        expect(head).toMatch(/^HTTP\/1\.1 400 /);
        expect(JSON.parse(answer.slice(answer.indexOf("{"), answer.lastIndexOf("}") + 1))).toMatchObject(body);
      }
    },
  );

  it.each([
    { what: "an unknown Expect", url: "/v2/", lines: "Expect: foo\r\n\r\n", status: 417 },
    { what: "an unknown Expect", url: "/scan/things", lines: "Expect: foo\r\n\r\n", status: 417 },
    { what: "headers too long", url: "/v2/", lines: `X: ${"x".repeat(20_000)}\r\n\r\n`, status: 431 },
    { what: "headers too long", url: "/scan/things", lines: `X: ${"x".repeat(20_000)}\r\n\r\n`, status: 431 },
    { what: "headers that are none", url: "/api/v1/x", lines: "no header\r\n\r\n", status: 400 },
    { what: "headers that are none", url: "/scan/things", lines: "no header\r\n\r\n", status: 400 },
  ])("refuses $what at $url in the form of that API: $status", async ({ url, lines, status }) => {
    for (const tls of [undefined, { cert, key }]) {
      await using server = await start(tls, { api: thingsApi, registry });
      const at = { port: server.port, host: "127.0.0.1", ca: cert };
      const socket = tls === undefined ? connectPlain(at) : connect(at);
      socket.write(`POST ${url} HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n${lines}`);
      const [head = "", body = ""] = (await text(socket)).split("\r\n\r\n");

      expect(head).toMatch(new RegExp(`^HTTP/1\\.1 ${status} `));
      const isOfScanner = url.startsWith("/scan");
      expect(JSON.parse(body)).toMatchObject(isOfScanner ? { code: expect.any(String) } : { registry: url, status });
    }
  });

  it.each(
    ["/v2/", "/scan/things"].flatMap((url) =>
      [20_000, 60_000].flatMap((bytes) => [undefined, { cert, key }].map((tls) => ({ url, bytes, tls }))),
    ),
  )("knows that $bytes bytes of headers are for $url, though the first line came long before", async (row) => {
    const { url, bytes, tls } = row;
    await using server = await start(tls, { api: thingsApi, registry });
    const at = { port: server.port, host: "127.0.0.1", ca: cert };
    const socket = tls === undefined ? connectPlain(at) : connect(at);
    socket.write(`GET ${url} HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n`);
    await expect.poll(() => [...server.sockets][0]?.bytesRead).toBeGreaterThan(40);
    for (let sent = 0; sent < bytes; sent += 1_000) socket.write(`X: ${"x".repeat(995)}\r\n`);
    socket.write("\r\n");
    const [head = "", body = ""] = (await text(socket)).split("\r\n\r\n");

    expect(head).toMatch(/^HTTP\/1\.1 431 /);
    expect(JSON.parse(body)).toMatchObject(url === "/v2/" ? { registry: url } : { code: "headers-too-large" });
  });

  it.each(["/v2/", "/scan/things"])("rejects too long headers at %s over HTTP/2", async (url) => {
    await using server = await start({ cert, key }, { api: thingsApi, registry });
    const session = connectHttp2(`https://127.0.0.1:${server.port}`, { ca: cert });
    const stream = session.request({ ":path": url, x: "x".repeat(20_000) });
    const [{ ":status": status }] = await once(stream, "response");
    const body = JSON.parse(await text(stream));
    session.destroy();

    expect(status).toBe(431);
    expect(body).toMatchObject(url === "/v2/" ? { registry: url } : { code: "headers-too-large" });
  });

  it.each([
    { name: "plain HTTP", tls: undefined },
    { name: "TLS", tls: { cert, key } },
  ])("answers a client that sends nothing after its request, over $name", async ({ tls }) => {
    const late: OpenedRegistry = {
      ...registry,
      register: (app) =>
        void app.get("/v2/", async () => {
          await expect.poll(() => [...server.sockets][0]?.readableEnded).toBe(true);
          return { is: "whole" };
        }),
    };
    await using server = await start(tls, { registry: late });
    const at = { port: server.port, host: "127.0.0.1", ca: cert, allowHalfOpen: true };
    const socket = tls === undefined ? connectPlain(at) : connect(at);
    socket.end("GET /v2/ HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n\r\n");

    const [head = "", body = ""] = (await text(socket)).split("\r\n\r\n");

    expect(head).toMatch(/^HTTP\/1\.1 200 /);
    expect(JSON.parse(body)).toEqual({ is: "whole" });
  });

  it.each([
    { what: "plain", tls: undefined },
    { what: "TLS", tls: { cert, key } },
  ])("ends a connection whose body does not go on, over $what", async ({ tls }) => {
    const register = (app: FastifyInstance) => void app.post("/text", async () => "read");
    using traffic = new Traffic({ ...defaultTrafficLimits, bodies: { stallSeconds: 1, leastBytesPerSecond: 1_000 } });
    await using server = await start(tls, { registry: { ...emptyRegistry, register }, traffic });
    const at = { port: server.port, host: "127.0.0.1", ca: cert };
    const socket = tls === undefined ? connectPlain(at) : connect(at);
    const head = "POST /text HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: text/plain\r\nContent-Length: 9\r\n\r\n";
    socket.write(`${head}some`);

    await once(socket.resume(), "close");
    expect(socket.destroyed).toBe(true);
  });

  it("ends a connection whose headers never end", async () => {
    await using server = await start(undefined, { api: thingsApi, registry });
    const socket = connectPlain({ port: server.port, host: "127.0.0.1" });
    const answered = text(socket).catch(() => "");
    socket.write("GET /v2/ HTTP/1.1\r\nHost: 127.0.0.1\r\n");
    for (let sent = 0; sent < 1_000 && !socket.destroyed; sent++) {
      socket.write(`X: ${"x".repeat(4_000)}\r\n`);
      await turn();
    }

    await answered;
    expect([...server.sockets][0]?.bytesRead).toBeLessThan(1_000_000);
  });

  it.each(testTransports)("adds no listeners to a connection with each request, over %s", async (transport) => {
    await using client = openTransportClient(transport);
    await using server = await start(client.scheme === "https" ? { cert, key } : undefined);
    const url = `${client.scheme}://127.0.0.1:${server.port}/nothing-is-here`;

    for (let n = 0; n < 60; n++) await (await client.fetch(url, { method: "POST", body: "refused" })).text();

    const counts = [...server.sockets].flatMap((socket) =>
      socket.eventNames().map((name) => socket.listenerCount(name)),
    );
    expect(server.sockets.size).toBeLessThan(5);
    expect(Math.max(...counts)).toBeLessThan(10);
  });

  it.each([
    { what: "what comes while it stops", path: "/scan/things", stage: { kind: "refusing" } as const },
    { what: "an address that cannot be decoded", path: "/scan/%zz", stage: { kind: "serving" } as const },
    { what: "a request without Host", path: "/scan/things", stage: { kind: "serving" } as const, headers: "" },
  ])("does not read on in the body of $what", async ({ path, stage, headers = "Host: a\r\n" }) => {
    await using server = await start(undefined, { api: thingsApi, stage });
    const socket = connectPlain({ port: server.port, host: "127.0.0.1" });
    const bodyBytes = 256 * 1024 ** 2;
    const over = new Promise((resolve) => void socket.once("close", resolve));
    socket.on("error", () => {});
    let answer = "";
    socket.on("data", (bytes) => (answer += String(bytes)));

    socket.write(`POST ${path} HTTP/1.1\r\n${headers}Content-Length: ${bodyBytes}\r\n\r\n`);
    const piece = Buffer.alloc(64 * 1024);
    for (let sent = 0; sent < bodyBytes && !socket.destroyed; sent += piece.length) {
      if (!socket.write(piece)) await Promise.race([once(socket, "drain").catch(() => {}), over]);
    }
    await over;

    const [served] = [...server.sockets];
    expect(answer).toMatch(/^HTTP\/1\.1 (?:400|503) /);
    expect(served?.bytesRead).toBeLessThan(16 * 1024 ** 2);
  });

  it.each([
    { name: "plain HTTP", tls: undefined, protocols: [] },
    { name: "TLS", tls: { cert, key }, protocols: ["http/1.1"] },
    { name: "h2", tls: { cert, key }, protocols: ["h2"] },
  ])("does not wait for a client that connects by $name and says nothing", async ({ tls, protocols }) => {
    const server = await start(tls);
    const at = { port: server.port, host: "127.0.0.1", ca: cert, ALPNProtocols: protocols };
    const socket = tls === undefined ? connectPlain(at) : connect(at);
    socket.on("error", () => {});
    await once(socket, tls === undefined ? "connect" : "secureConnect");
    await expect.poll(() => server.sockets.size).toBe(1);

    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
    let isClosed = false; // later versions of Node close such connections by themselves
    const closing = server[Symbol.asyncDispose]().then(() => {
      isClosed = true;
    });
    await vi.waitUntil(() => isClosed || vi.getTimerCount() >= 2); // for this connection, and for requests under way
    vi.advanceTimersByTime(firstRequestMs);

    await closing;
    socket.destroy();
  });
});
