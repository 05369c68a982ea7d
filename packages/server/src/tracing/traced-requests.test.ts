import { once } from "node:events";
import { get, type IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";
import { propagation } from "@opentelemetry/api";
import { bind, type DocumentTypes, documentApi, operationsFor } from "@plimsoll/http";
import { startTraceCollector } from "@plimsoll/testing";
import { Type } from "typebox";
import { afterEach, describe, expect, it, onTestFinished, vi } from "vitest";
import type { LoggedRequest } from "../logging/access-log.ts";
import { createApiServer } from "../serve/api-server.ts";
import { testApiServerOptions } from "../serve/fixtures/test-api-server.ts";
import { watchOutage } from "../serve/outages.ts";
import { openTracing, type Tracing } from "./open-tracing.ts";

const operation = operationsFor<DocumentTypes<undefined>>();
const shared = { method: "GET", summary: "Test.", success: 204, refusals: [400] } as const;
const findThing = operation({
  ...shared,
  id: "findThing",
  path: "/things/{name}",
  query: Type.Object({ q: Type.Optional(Type.String()) }),
  handle: async () => {},
});
const failThing = operation({
  ...shared,
  id: "failThing",
  path: "/fails",
  handle: async () => {
    throw new Error("broken");
  },
});
const acceptThing = operation({
  ...shared,
  id: "acceptThing",
  path: "/invites/{code}",
  secretParams: ["code"],
  handle: async () => {},
});
const face = {
  mediaTypes: () => ["application/json"],
  errors: {},
  errorTrailer: "error",
  maxBodyBytes: 1000,
  contentTypes: "ignored",
} as const;
const api = documentApi(bind([findThing, failThing, acceptThing], undefined), face);

const traceId = "0af7651916cd43dd8448eb211c80319c";
const traceparent = `00-${traceId}-b7ad6b7169203331-01`;

/** A server whose requests are traced, or not. */
async function start(tracer?: Tracing["tracer"]) {
  const lines: LoggedRequest[] = [];
  const accessLog = { write: (line: LoggedRequest) => void lines.push(line) };
  const app = createApiServer({ ...testApiServerOptions(), api, accessLog, ...(tracer && { tracer }) });
  await app.listen({ host: "127.0.0.1", port: 0 });
  onTestFinished(() => app.close());
  const { port } = app.server.address() as AddressInfo;
  const ask = async (path: string, headers: Readonly<Record<string, string>> = {}) => {
    const [response]: IncomingMessage[] = await once(get({ port, path, headers, agent: false }), "response");
    await once(response?.resume() as IncomingMessage, "close");
    return response?.statusCode;
  };
  return { app, ask, lines };
}

async function startTraced() {
  const collector = await startTraceCollector();
  onTestFinished(() => collector[Symbol.asyncDispose]());
  const outage = watchOutage({ warn: () => {}, info: () => {} } as never, "traces");
  const tracing = openTracing({ endpoint: collector.endpoint, headers: {}, sampleRatio: 1, outage });
  const { app, ...server } = await start(tracing.tracer);
  const spans = async () => {
    await app.close();
    await tracing[Symbol.asyncDispose]();
    return collector.spans;
  };
  return { ...server, spans };
}

afterEach(() => void vi.restoreAllMocks());

describe("a traced request", () => {
  it("is a span named by its operation, the child of the caller's, and named in the access log", async () => {
    const { ask, lines, spans } = await startTraced();

    expect(await ask("/things/a%20b?q=sesame", { traceparent })).toBe(204);

    const [span] = await spans();
    expect(span).toMatchObject({
      name: "findThing",
      traceId,
      parentSpanId: "b7ad6b7169203331",
      kind: 2, // a server's
      attributes: {
        "http.request.method": "GET",
        "http.route": "/things/{name}",
        "http.response.status_code": 204,
        "url.path": "/things/a%20b",
        "url.scheme": "http",
      },
    });
    expect(span?.attributes).not.toHaveProperty("error.type");
    expect(JSON.stringify(span)).not.toContain("sesame");
    expect(lines).toMatchObject([{ operation: "findThing", traceId }]);
  });

  it("begins a trace if the caller has none, or a malformed one", async () => {
    const { ask, spans } = await startTraced();

    await ask("/things/a");
    await ask("/things/b", { traceparent: "00-0-0-0" });

    const [first, second] = await spans();
    expect(first).not.toHaveProperty("parentSpanId");
    expect(second).not.toHaveProperty("parentSpanId");
    expect(second?.traceId).not.toBe(first?.traceId);
  });

  it("is not sent if the caller does not sample it, but named in the access log", async () => {
    const { ask, lines, spans } = await startTraced();

    await ask("/things/a", { traceparent: traceparent.replace(/01$/, "00") });

    expect(await spans()).toEqual([]);
    expect(lines).toMatchObject([{ traceId }]);
  });

  it("has the status of a failed server", async () => {
    const { ask, spans } = await startTraced();

    expect(await ask("/fails")).toBe(500);

    const attributes = { "http.response.status_code": 500, "error.type": "500" };
    expect(await spans()).toMatchObject([{ name: "failThing", status: { code: 2 }, attributes }]);
  });

  it.each([
    { path: "/sesame", status: 404, name: "unrouted" },
    { path: "/things/%zz", status: 400, name: "unrouted" },
    { path: "/robots.txt", status: 200, name: "getRobots" },
    { path: "/openapi/v1", status: 200, name: "getOpenApi" },
  ])("answers $path, and its span, access log and metric have the name $name", async ({ path, status, name }) => {
    const { ask, lines, spans } = await startTraced();

    expect(await ask(path, { traceparent })).toBe(status);

    const attributes = { "http.request.method": "GET", "http.response.status_code": status };
    const [span, ...others] = await spans();
    expect([span, others]).toMatchObject([{ name, traceId, kind: 2, attributes }, []]);
    expect(JSON.stringify(span)).not.toContain("sesame");
    expect(lines).toMatchObject([{ operation: name, status, traceId }]);
  });

  it.each([
    ["/invites/sesame", "/invites/{code}"],
    ["http://user:sesame@there.example/things/a", "/things/{name}"],
  ])("does not tell what is secret in the address %s", async (address, path) => {
    const { ask, spans } = await startTraced();

    await ask(address);

    const [span] = await spans();
    expect(span?.attributes["url.path"]).toBe(path);
    expect(JSON.stringify(span)).not.toContain("sesame");
  });
});

it("creates no spans if requests are not traced", async () => {
  const extract = vi.spyOn(propagation, "extract");
  const { ask, lines } = await start();

  expect(await ask("/things/a", { traceparent })).toBe(204);

  await expect.poll(() => lines).toHaveLength(1);
  expect(lines[0]).not.toHaveProperty("traceId");
  expect(extract).not.toHaveBeenCalled();
});
