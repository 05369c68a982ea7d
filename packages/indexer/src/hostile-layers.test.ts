import { once } from "node:events";
import { createServer, type RequestListener } from "node:http";
import type { AddressInfo } from "node:net";
import { createEngine, dpkg, linux, ScanError } from "@plimsoll/core";
import type { Manifest } from "@plimsoll/core/internal";
import { addressGuard } from "@plimsoll/outbound";
import { openTestStore } from "@plimsoll/testing";
import { describe, expect, it } from "vitest";
import { openLayerFetcher } from "./adapters/fetch/layer-fetcher.ts";
import { nodeReaders } from "./adapters/platform/node-readers.ts";
import { debianLayer, manifestOf, serviceOptions } from "./fixtures/service-parts.ts";
import { assembleIndexService } from "./index-service.ts";
import { indexerMigrations } from "./store/migrations/all.ts";
import type { IndexerTables } from "./store/tables.ts";

const layer = await debianLayer({ zlib1g: "1.2" });
const bytes = Buffer.from(layer.bytes);
const otherBytes = Buffer.from((await debianLayer({ zlib1g: "1.3" })).bytes);

/** How a service differs. */
interface Started {
  readonly allowed?: readonly string[];
  readonly totalMs?: number;
}

/** A service that fetches layers from a server on this host. */
async function start(listener: RequestListener, { allowed = ["127.0.0.1"], totalMs = 4_000 }: Started = {}) {
  const server = createServer(listener).listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  const store = await openTestStore<IndexerTables>(":memory:", { migrations: [indexerMigrations] });
  const fetcher = openLayerFetcher({
    guard: addressGuard(allowed),
    timeouts: { idleMs: 300, totalMs },
    retry: { attempts: 2, sleep: async () => {} },
  });
  const engine = createEngine({ ecosystems: [linux, dpkg], limits: { maxLayerBytes: 1_000_000 } });
  const service = assembleIndexService({
    ...serviceOptions(store, fetcher.fetchLayer),
    engine,
    readers: nodeReaders(engine),
  });
  const { digest, layers } = manifestOf([layer]);
  const manifest: Manifest = {
    digest,
    layers: layers.map((each) => ({ ...each, uri: `http://127.0.0.1:${port}/layer?signature=hunter2` })),
  };
  return {
    service,
    manifest,
    [Symbol.asyncDispose]: async () => {
      await service[Symbol.asyncDispose]();
      await fetcher[Symbol.asyncDispose]();
      await store[Symbol.asyncDispose]();
      server.closeAllConnections();
      server.close();
    },
  };
}

const rows: readonly (readonly [what: string, code: string, listener: RequestListener, how?: Started])[] = [
  ["no layer", "malformed_archive", (_, response) => response.end("other")],
  ["another layer", "digest_mismatch", (_, response) => response.end(otherBytes)],
  ["nothing", "digest_mismatch", (_, response) => response.end()],
  [
    "less than it announces",
    "source_unreachable",
    (_, response) => {
      response.writeHead(200, { "content-length": bytes.length + 1 });
      response.write(bytes, () => response.destroy());
    },
  ],
  ["its beginning", "layer_truncated", (_, response) => response.end(bytes.subarray(0, 100))],
  ["more than the layer", "digest_mismatch", (_, response) => response.end(Buffer.concat([bytes, Buffer.alloc(10)]))],
  [
    "bytes without end",
    "layer_too_large",
    (_, response) => {
      const write = () => response.write(Buffer.alloc(20_000), (error) => error ?? write());
      write();
    },
  ],
  ["nothing for ever", "source_unreachable", () => {}],
  [
    "one byte now and then for ever",
    "source_unreachable",
    (_, response) => {
      const timer = setInterval(() => response.write("\x1f"), 50);
      response.on("close", () => clearInterval(timer));
    },
  ],
  [
    "bytes for longer than all of it may take",
    "timed_out",
    (_, response) => {
      const timer = setInterval(() => response.write(Buffer.alloc(2_000)), 20);
      response.on("close", () => clearInterval(timer));
    },
    { totalMs: 1_000 },
  ],
  [
    "a redirect to the metadata service",
    "not_permitted",
    (_, response) => {
      response.writeHead(302, { location: "http://169.254.169.254/latest/meta-data/" }).end();
    },
  ],
  [
    "a redirect to another service of this host",
    "not_permitted",
    (_, response) => {
      response.writeHead(302, { location: "http://127.0.0.2/" }).end();
    },
  ],
  ["a refusal", "unauthorized", (_, response) => response.writeHead(403).end("<hunter2>")],
];

describe("a server of layers", () => {
  it("that is honest is fetched from", async () => {
    await using at = await start((_, response) => response.end(bytes));

    expect((await at.service.submit(at.manifest)).success).toBe(true);
  });

  it.each(rows.map(([what, code, listener, how = {}]) => [what, code, listener, how] as const))(
    "that sends %s ends in %s, stored and without secrets",
    async (_, code, listener, how) => {
      await using at = await start(listener, how);

      const error = await at.service.submit(at.manifest).catch((reason: unknown) => reason);

      if (!(error instanceof ScanError)) throw error;
      expect(error.code).toBe(code);
      const report = await at.service.findReport(at.manifest.digest);
      expect(report).toMatchObject({ state: "IndexError", success: false, error: error.message });
      expect(JSON.stringify(report)).not.toMatch(/hunter2|secret/);
    },
  );

  it("on an internal address is not asked at all unless that is allowed", async () => {
    let requests = 0;
    await using at = await start(() => requests++, { allowed: [] });

    await expect(at.service.submit(at.manifest)).rejects.toMatchObject({ code: "not_permitted" });
    expect(requests).toBe(0);
  });
});
