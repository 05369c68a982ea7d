import { once } from "node:events";
import { connect as connectHttp2, type OutgoingHttpHeaders } from "node:http2";
import { type AddressInfo, connect as connectPlain } from "node:net";
import { text } from "node:stream/consumers";
import { connect } from "node:tls";
import type { OpenedRegistry } from "@plimsoll/registry-api";
import { loopbackCertificate } from "@plimsoll/testing";
import { describe, expect, it } from "vitest";
import type { LoggedRequest } from "../logging/access-log.ts";
import { createMetrics } from "../metrics/metrics.ts";
import { type ApiServerOptions, createApiServer } from "./api-server.ts";
import { emptyRegistry, testApiServerOptions, thingsApi } from "./fixtures/test-api-server.ts";
import { trustedNetworks } from "./trusted-proxies.ts";

const registry: OpenedRegistry = {
  ...emptyRegistry,
  register: (app) => {
    app.post("/api/v1/echo", async ({ body }) => ({ body }));
    app.get("/api/v1/part", (_, reply) => {
      reply.hijack();
      reply.raw.write("part");
    });
  },
  refuseMalformedUrl: (_error, _request, { raw }) => {
    raw.writeHead(400, { "content-type": "application/json" });
    raw.end("{}");
  },
};
const { cert, key } = loopbackCertificate();
const loopback = "127.0.0.1";

/** A server with a recorded log. */
async function start(parts: Partial<ApiServerOptions> = {}) {
  const logged: LoggedRequest[] = [];
  const metrics = createMetrics();
  const accessLog = { write: (request: LoggedRequest) => void logged.push(request) };
  const app = createApiServer({ ...testApiServerOptions(), api: thingsApi, registry, metrics, accessLog, ...parts });
  await app.listen({ host: loopback, port: 0 });
  return {
    port: (app.server.address() as AddressInfo).port,
    logged,
    counted: async () =>
      (await metrics.text()).split("\n").filter((line) => line.startsWith("plimsoll_requests_total")),
    [Symbol.asyncDispose]: () => app.close(),
  };
}

type Started = Awaited<ReturnType<typeof start>>;

/** Sends bytes and reads the whole response. */
async function send({ port }: Started, tls: ApiServerOptions["tls"], bytes: string): Promise<string> {
  const at = { port, host: loopback, ca: cert };
  const socket = tls === undefined ? connectPlain(at) : connect(at);
  socket.write(bytes);
  return text(socket);
}

/** Expects exactly one log line and one counted request. */
async function expectOne(server: Started, { status, ...wanted }: Partial<LoggedRequest>): Promise<void> {
  await expect.poll(() => server.logged.length).toBeGreaterThan(0);
  const shown = { address: loopback, requestId: expect.stringMatching(/^[\da-f-]{36}$/), seconds: expect.any(Number) };
  expect(server.logged).toEqual([expect.objectContaining({ ...shown, operation: "unrouted", ...wanted, status })]);
  const { operation: id = "unrouted", method } = wanted;
  expect(await server.counted()).toEqual([
    `plimsoll_requests_total{operation="${id}",method="${method}",status="${status}"} 1`,
  ]);
}

const host = "Host: a\r\nConnection: close\r\n";
const paths = ["/%zz", "/api/v1/%zz", "/v2/%zz", "/scan/%zz"];
const chunked = `POST /api/v1/echo HTTP/1.1\r\n${host}Content-Type: text/plain\r\nTransfer-Encoding: chunked\r\n\r\n`;

describe.each([
  { name: "plain", tls: undefined },
  { name: "TLS", tls: { cert, key } },
])("recordAnswers by HTTP/1.1, $name", ({ tls }) => {
  it.each<{ readonly bytes: string; readonly status: number; readonly method: string; readonly operation?: string }>([
    ...paths.map((path) => ({ bytes: `GET ${path} HTTP/1.1\r\n${host}\r\n`, status: 400, method: "GET" })),
    { bytes: "BREW /v2/ HTTP/1.1\r\n\r\n", status: 400, method: "other" },
    { bytes: "GARBAGE\r\n\r\n", status: 400, method: "other" },
    { bytes: "POST /v2/ HTTP/1.1\r\nno header\r\n\r\n", status: 400, method: "POST" },
    { bytes: `GET /v2/ HTTP/1.1\r\nX: ${"x".repeat(80_000)}\r\n\r\n`, status: 431, method: "other" },
    { bytes: `GET /v2/ HTTP/1.1\r\n${host}X: ${"x".repeat(20_000)}\r\n\r\n`, status: 431, method: "GET" },
    { bytes: `GET /v2/ HTTP/1.1\r\n${host}Expect: foo\r\n\r\n`, status: 417, method: "GET" },
    { bytes: "GET /v2/ HTTP/1.1\r\nConnection: close\r\n\r\n", status: 400, method: "GET" },
    { bytes: `GET /none HTTP/1.1\r\n${host}\r\n`, status: 404, method: "GET" },
    { bytes: `POST /robots.txt HTTP/1.1\r\n${host}\r\n`, status: 405, method: "POST" },
    { bytes: `HEAD /openapi/v1 HTTP/1.1\r\n${host}\r\n`, status: 401, method: "HEAD", operation: "getOpenApi" },
    { bytes: `${chunked}none\r\n`, status: 400, method: "POST" },
    {
      bytes: `GET /robots.txt HTTP/1.1\r\n${host}\r\n`,
      status: 200,
      method: "GET",
      operation: "getRobots",
    },
  ])("logs and counts once: %#", async ({ bytes, ...wanted }) => {
    await using server = await start(tls && { tls });

    expect(await send(server, tls, bytes)).toMatch(new RegExp(`^HTTP/1\\.1 ${wanted.status} [^]*$`));

    await expectOne(server, wanted);
  });

  it("closes the connection after a started answer when the next request is malformed", async () => {
    await using server = await start(tls && { tls });
    const at = { port: server.port, host: loopback, ca: cert };
    const socket = tls === undefined ? connectPlain(at) : connect(at);
    let answer = "";
    socket.on("data", (bytes) => (answer += String(bytes)));
    socket.on("error", () => {});
    socket.write("GET /api/v1/part HTTP/1.1\r\nHost: a\r\n\r\n");
    await expect.poll(() => answer).toContain("part");
    socket.write("GARBAGE\r\n\r\n");
    await once(socket, "close");

    expect(answer).toMatch(/^HTTP\/1\.1 200 /);
    expect(answer).not.toContain("HTTP/1.1 400");
  });
});

describe("recordAnswers", () => {
  it.each<{ readonly headers: OutgoingHttpHeaders; readonly status: number; readonly method: string }>([
    ...paths.map((path) => ({ headers: { ":path": path }, status: 400, method: "GET" })),
    { headers: { ":path": "/none" }, status: 404, method: "GET" },
    { headers: { ":path": "/none", ":method": "BREW" }, status: 404, method: "other" },
    { headers: { ":path": "/v2/", expect: "foo" }, status: 417, method: "GET" },
    { headers: { ":path": "/v2/", x: "x".repeat(20_000) }, status: 431, method: "GET" },
    { headers: { ":method": "CONNECT", ":authority": "a:1" }, status: 405, method: "CONNECT" },
  ])("logs and counts once by HTTP/2: %#", async ({ headers, ...wanted }) => {
    await using server = await start({ tls: { cert, key } });
    const session = connectHttp2(`https://${loopback}:${server.port}`, { ca: cert });
    const stream = session.request(headers);
    const [{ ":status": status }] = await once(stream, "response");
    const body = await text(stream);
    session.destroy();

    expect([status, JSON.parse(body)]).toEqual([wanted.status, expect.any(Object)]);
    await expectOne(server, wanted);
  });

  it("logs the client that a trusted proxy names, also without a route", async () => {
    await using server = await start({ trusts: trustedNetworks([loopback]) });

    await send(server, undefined, `GET /%zz HTTP/1.1\r\n${host}X-Forwarded-For: 192.0.2.7\r\n\r\n`);

    await expectOne(server, { status: 400, method: "GET", address: "192.0.2.7" });
  });

  it("does not answer a CONNECT request over HTTP/1.1", async () => {
    await using server = await start();

    expect(await send(server, undefined, "CONNECT a:1 HTTP/1.1\r\nHost: a:1\r\n\r\n")).toBe("");
    expect([server.logged, await server.counted()]).toEqual([[], []]);
  });
});
