import { once } from "node:events";
import { connect, type Socket } from "node:net";
import { text } from "node:stream/consumers";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createMetrics } from "../metrics/metrics.ts";
import { createHealthServer } from "./health-server.ts";

describe("createHealthServer", () => {
  const server = createHealthServer({
    metrics: createMetrics(),
    readiness: async () => ({ isReady: true, text: "ok\n", states: [], stopping: undefined }),
  });
  let port: number;
  beforeAll(async () => {
    port = Number(new URL(await server.listen({ host: "127.0.0.1", port: 0 })).port);
  });
  afterAll(() => server.close());

  it.each([
    { what: "no Host", sent: "GET /healthz HTTP/1.1\r\n", says: "found none" },
    { what: "two Hosts", sent: "GET /healthz HTTP/1.1\r\nHost: a\r\nHost: b\r\n", says: "found 2" },
    { what: "something else than HTTP", sent: "hello\r\n", says: "expected an HTTP/1.1 request" },
  ])("says in plain text what is wrong with $what", async ({ sent, says }) => {
    const socket = connect(port, "127.0.0.1");
    socket.write(`${sent}Connection: close\r\n\r\n`);

    const [head = "", body = ""] = (await text(socket)).split("\r\n\r\n");

    expect(head).toMatch(/^HTTP\/1\.1 400 /);
    expect(head.toLowerCase()).toContain("content-type: text/plain");
    expect(body).toContain(says);
  });

  it.each([
    { method: "GET", url: "/none", status: 404, says: "expected one of /healthz, /readyz, /metrics\n" },
    { method: "POST", url: "/healthz", status: 405, says: "expected GET\n" },
    { method: "GET", url: "/%zz", status: 404, says: "expected one of /healthz, /readyz, /metrics\n" },
    { method: "HEAD", url: "/healthz", status: 200, says: "" },
    { method: "GET", url: "/healthz?verbose", status: 200, says: "ok\n" },
  ] as const)("answers $method $url with $status", async ({ method, url, status, says }) => {
    const { statusCode, headers, body } = await server.inject({ method, url });

    expect([statusCode, headers["content-type"], body]).toEqual([status, "text/plain; charset=utf-8", says]);
  });

  it.each(["/healthz", "/readyz", "/metrics"])("answers a tag in If-Match on %s with 412", async (url) => {
    const { statusCode, body } = await server.inject({ url, headers: { "if-match": '"stale"' } });

    expect([statusCode, body]).toEqual([412, expect.stringContaining("If-Match: there is no version")]);
  });

  it("answers while one network opens connections that say nothing", async () => {
    const silent = Array.from({ length: 100 }, () => connect(port, "127.0.0.1").on("error", () => {}));
    const [first] = silent as [Socket];
    await once(first.resume(), "close");

    const answer = await fetch(`http://127.0.0.1:${port}/healthz`);

    expect(await answer.text()).toBe("ok\n");
    for (const socket of silent) socket.destroy();
  });

  it("answers HTTP/1.0, which has no Host", async () => {
    const socket = connect(port, "127.0.0.1");
    socket.write("GET /healthz HTTP/1.0\r\n\r\n");

    expect(await text(socket)).toMatch(/^HTTP\/1\.1 200 .*ok\n$/s);
  });
});
