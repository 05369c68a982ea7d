/**
 * Response times of other requests, and peak memory, while deliberately slow layers are pushed to a registry with its scanner:
 *
 *     npm run build
 *     PLIMSOLL_TEST_COMMAND=packages/server/dist/plimsoll.js node --conditions=plimsoll-source benchmarks/slow-layers.ts [SCALE]
 *
 * Every layer of the corpus (`packages/testing/src/slow-layers.ts`) is pushed as a separate image. Meanwhile a client in a separate
 * process sends small requests, one every 10 ms. For comparison it also does so before, while nothing is pushed. The limits are 100 ms
 * at p99 and 400 MB.
 */
import { fork } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { loadavg, tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { digestOf, slowLayers } from "@plimsoll/testing";
import { startRegistry } from "../tests/support/registry-process.ts";
import { usedBy } from "./lib/other-servers.ts";
import { call, pushImage, type ServedRegistry } from "./lib/registry.ts";

const scale = Number(process.argv[2] ?? 100_000);
const [longestP99Ms, mostMegabytes] = [100, 400];
const quietMs = 5_000;
const [maxPauses, pauseMs] = [1_200, 100];
const scratch = mkdtempSync(join(tmpdir(), "plimsoll-benchmark-"));

try {
  await using started = await startRegistry(scratch);
  const registry = { address: started.process.url, pid: started.process.pid ?? 0, ...headersOf(started.token) };
  await pushImage(registry, "alice/asked");
  const before = await askDuring(registry, delay(quietMs));
  const meanwhile = await askDuring(registry, pushAll(registry));
  const peak = usedBy(registry).peakBytes / 1e6;
  console.log(`load ${loadavg()[0]?.toFixed(1)}`);
  console.log(`nothing pushed   ${described(before)}`);
  console.log(`slow layers      ${described(meanwhile)}, limit ${longestP99Ms} ms at p99`);
  console.log(`peak memory      ${peak.toFixed(0)} MB, limit ${mostMegabytes} MB`);
  if (quantile(meanwhile, 0.99) > longestP99Ms || peak > mostMegabytes) process.exitCode = 1;
} finally {
  rmSync(scratch, { recursive: true });
}

/** The address of the registry and the credentials for it. */
type Asked = Pick<ServedRegistry, "address" | "basic" | "bearer">;

function headersOf(token: string): Omit<Asked, "address"> {
  return { bearer: `Bearer ${token}`, basic: `Basic ${Buffer.from(`$oauthtoken:${token}`).toString("base64")}` };
}

async function pushAll(registry: Asked): Promise<void> {
  for (const [at, layer] of slowLayers(scale).entries()) {
    const bytes = Buffer.from(layer.build());
    const from = performance.now();
    const status = await scan(registry, `alice/slow-${at}`, bytes);
    const seconds = ((performance.now() - from) / 1000).toFixed(1);
    console.log(
      `${layer.name.padEnd(36)} ${(bytes.length / 1000).toFixed(0).padStart(6)} KB  ${status} after ${seconds} s`,
    );
  }
}

/** Pushes a layer with its image and waits until the image is no longer queued. @returns its status */
async function scan(registry: Asked, repository: string, layer: Buffer): Promise<string> {
  const put = async (bytes: Buffer, mediaType: string) => {
    const path = `/v2/${repository}/blobs/uploads/?digest=${digestOf(bytes)}`;
    await call(registry, {
      method: "POST",
      path,
      authorization: registry.basic,
      body: bytes,
      contentType: "application/octet-stream",
    });
    return { mediaType, digest: digestOf(bytes), size: bytes.length };
  };
  const mediaType = "application/vnd.oci.image.manifest.v1+json";
  const layers = [await put(layer, "application/vnd.oci.image.layer.v1.tar+gzip")];
  const config = await put(Buffer.from("{}"), "application/vnd.oci.image.config.v1+json");
  const manifest = Buffer.from(JSON.stringify({ schemaVersion: 2, mediaType, config, layers }));
  const to = `/v2/${repository}/manifests/first`;
  await call(registry, {
    method: "PUT",
    path: to,
    authorization: registry.basic,
    body: manifest,
    contentType: mediaType,
  });
  const path = `/api/v1/repository/${repository}/manifest/${digestOf(manifest)}/security`;
  for (let pauses = 0; pauses < maxPauses; pauses++) {
    const { status } = (await call(registry, { method: "GET", path, authorization: registry.bearer })) as {
      readonly status: string;
    };
    if (status !== "queued") return status;
    await delay(pauseMs);
  }
  return "still queued";
}

/**
 * Sends requests every few milliseconds from another process until the work is done: for the discovery document, the tags of a
 * repository, and a manifest. @returns the response times in milliseconds
 */
async function askDuring({ address, basic, bearer }: Asked, work: Promise<unknown>): Promise<readonly number[]> {
  const questions = [
    `${address}/api/v1/discovery`,
    `${address}/api/v1/repository/alice/asked/tag/ ${bearer}`,
    `${address}/v2/alice/asked/manifests/first ${basic}`,
  ];
  const client = fork(join(import.meta.dirname, "lib/asking-client.ts"), questions, { stdio: "inherit" });
  await once(client, "message");
  await work;
  client.send("stop");
  const [times] = await once(client, "message");
  return times;
}

function described(times: readonly number[]): string {
  const [median, p99, longest] = [0.5, 0.99, 1].map((share) => quantile(times, share).toFixed(1));
  return `${times.length} requests: median ${median} ms, p99 ${p99} ms, longest ${longest} ms`;
}

function quantile(times: readonly number[], share: number): number {
  const sorted = times.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))] ?? 0;
}
