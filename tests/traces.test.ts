/** The spans of a real process, as a collector receives them: their names for every API, and a collector that is down. */
import { openPlimsoll } from "@plimsoll/server/embed";
import { startTraceCollector, type TraceCollector } from "@plimsoll/testing";
import fastify from "fastify";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { watchOutage } from "../packages/server/src/serve/outages.ts";
import { openTracing } from "../packages/server/src/tracing/open-tracing.ts";
import { firstUser, startRegistry } from "./support/registry-process.ts";
import { tempFolder } from "./support/temp-folder.ts";

const outage = watchOutage({ warn: () => {}, info: () => {} } as never, "traces");

/** Starts a registry beside a scanner that is traced. */
async function startTraced(folder: string, tracesEndpoint: string) {
  const registry = await startRegistry(folder, { scannerPort: "0", tracesEndpoint });
  const line = registry.process.log.find((each) => each.includes('"event":"listening"')) ?? "{}";
  const { scannerAddress } = JSON.parse(line) as { readonly scannerAddress: string };
  return { registry, scannerAddress };
}

const basic = `Basic ${Buffer.from(`${firstUser.username}:${firstUser.password}`).toString("base64")}`;
const traceId = "0af7651916cd43dd8448eb211c80319c";
const traceparent = `00-${traceId}-b7ad6b7169203331-01`;

/** What is asked of each API, and the span of it. */
const asked = [
  { of: "/v2", path: "/v2/_catalog?n=1", span: "listCatalog", route: "/v2/_catalog" },
  {
    of: "the management API",
    path: "/api/v1/repository/alice/app",
    span: "getRepo",
    route: "/api/v1/repository/{repository}",
  },
  {
    of: "the keys of services",
    path: "/keys/services/any/keys",
    span: "listServiceKeysInForce",
    route: "/keys/services/{service}/keys",
  },
  { of: "pages", path: "/signin", span: "showSignInPage", route: "/signin" },
  { of: "the token service", path: "/v2/auth?service=x", span: "getRegistryToken", route: "/v2/auth" },
  {
    of: "the scanner API",
    path: "/indexer/api/v1/index_state",
    span: "getIndexState",
    route: "/indexer/api/v1/index_state",
  },
] as const;

describe("a registry with a collector", () => {
  const folder = tempFolder();
  let collector: TraceCollector;
  let exitCode: number | NodeJS.Signals;
  beforeAll(async () => {
    collector = await startTraceCollector();
    const { registry, scannerAddress } = await startTraced(folder.path, collector.endpoint);
    await using _ = registry;
    for (const { path, of } of asked) {
      const origin = of === "the scanner API" ? scannerAddress : registry.process.url;
      const response = await fetch(origin + path, { headers: { traceparent, authorization: basic } });
      await response.arrayBuffer();
    }
    exitCode = await registry.process.stop();
  });
  afterAll(async () => {
    await collector[Symbol.asyncDispose]();
    folder[Symbol.dispose]();
  });

  it.each(asked)("names the span of $of by its operation", ({ span, route }) => {
    const found = collector.spans.find(({ name }) => name === span);

    expect(collector.spans.map(({ name }) => name)).toContain(span);
    expect(found).toMatchObject({ traceId, parentSpanId: "b7ad6b7169203331", attributes: { "http.route": route } });
  });

  it("sends everything before it ends, attempts of jobs as well", () => {
    const jobs = collector.spans.filter(({ attributes }) => "plimsoll.job.outcome" in attributes);

    expect(exitCode).toBe(0);
    expect(jobs.map(({ name }) => name)).toContain("registry.collect-garbage");
  });
});

it("answers, and logs one line, while the collector is down", async () => {
  using folder = tempFolder();
  const { registry } = await startTraced(folder.path, "http://127.0.0.1:1/v1/traces");
  await using _ = registry;

  for (let asked = 0; asked < 1_100; asked++) await registry.call("GET", "/user/"); // two batches
  const failures = () => registry.process.log.filter((line) => line.includes('"dependency":"traces"'));
  await expect.poll(() => failures().length).toBeGreaterThan(0);
  await registry.process.stop();

  expect(failures()).toEqual([expect.stringContaining('"event":"dependency_failed"')]);
});

describe("an embedded registry", () => {
  it("makes spans by the tracer of its application, and refuses a collector of its own", async () => {
    using folder = tempFolder();
    await using collector = await startTraceCollector();
    await using tracing = openTracing({ endpoint: collector.endpoint, headers: {}, sampleRatio: 1, outage });
    const { tracer } = tracing;
    const settings = { offline: true };
    await using plimsoll = await openPlimsoll({ data: folder.path, settings, tracer });
    const app = fastify();
    plimsoll.register(app);
    const url = await app.listen({ host: "127.0.0.1", port: 0 });

    await (await fetch(`${url}/signin`)).arrayBuffer();
    await app.close();
    await tracing[Symbol.asyncDispose]();

    expect(collector.spans.map(({ name }) => name)).toContain("showSignInPage");
    const given = { data: folder.path, settings: { ...settings, tracesEndpoint: collector.endpoint } };
    await expect(openPlimsoll(given)).rejects.toThrow("tracesEndpoint: expected `tracer` among the options instead");
  });
});
