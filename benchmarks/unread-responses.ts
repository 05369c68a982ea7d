/**
 * What clients cost that do not read their responses, leave early, or send their bodies a byte at a time: the server's memory and
 * descriptors while they are connected and after they have left, and the response times of another client meanwhile. Each row has a
 * server of its own. The limits are 400 MB, 100 ms at p99, and a server that still runs. SECONDS is how long the clients stay; with more than 100,
 * the last column shows how many of them the server has closed by then. The memory is that of the built packages, which users run: from the
 * sources (`--conditions=plimsoll-source`) a server takes about 100 MB more.
 *
 *     npm run build && node benchmarks/unread-responses.ts [SECONDS] [ROW]
 */
import { fork } from "node:child_process";
import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import type { Socket } from "node:net";
import { loadavg, tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { digestOf } from "@plimsoll/testing";
import { percentile } from "./lib/percentile.ts";
import { call, pushImage, startRegistry } from "./lib/registry.ts";
import { type Serving, startServer } from "./lib/serving.ts";
import { leaveEarly, openIdle, openWindowless, type Target } from "./lib/unread.ts";

const [seconds, wanted] = [Number(process.argv[2] ?? 20), process.argv[3]];
const [longestP99Ms, mostMegabytes] = [100, 400];
const blobBytes = 16 * 1024 ** 2;

/** The server and what its clients request. */
interface World {
  readonly plain: Target;
  readonly encrypted: Target;
  /** The path of a large blob that needs no credentials. */
  readonly path: string;
  /** The path of a large manifest that needs none. */
  readonly manifest: string;
}

type Attack = (world: World) => Promise<readonly Socket[]>;

const get = (path: string) => `GET ${path} HTTP/1.1\r\nhost: 127.0.0.1\r\n\r\n`;

/** Sends a byte every two seconds after a head that announces a long body. */
async function trickle({ plain }: World, head: string): Promise<readonly Socket[]> {
  const sockets = await openIdle(plain, 200, `${head}\r\nhost: 127.0.0.1\r\ncontent-length: 100000\r\n\r\n`);
  const timer = setInterval(() => {
    for (const socket of sockets) if (socket.writable) socket.write(" ");
  }, 2_000);
  setTimeout(() => clearInterval(timer), 1_000 * seconds).unref();
  return sockets;
}

const rows: Readonly<Record<string, Attack>> = {
  "left between pipelined pulls": async ({ plain, path }) => {
    await leaveEarly(plain, 150, get(path).repeat(2));
    return [];
  },
  "20 x 100 streams, window 0": ({ encrypted, path }) =>
    openWindowless(encrypted, { path, connections: 20, streams: 100 }),
  "3,000 pipelined pulls": ({ plain, path }) => openIdle(plain, 1, get(path).repeat(3_000)),
  "400 manifests of 3.8 MB": ({ plain, manifest }) => openIdle(plain, 400, get(manifest)),
  "1,500 idle pulls": ({ plain, path }) => openIdle(plain, 1_500, get(path)),
  "200 slow bodies": (world) => trickle(world, "POST /api/v1/signin HTTP/1.1\r\ncontent-type: application/json"),
  "200 slow refused bodies": (world) => trickle(world, "POST /v2/first/blobs/blobs/uploads/ HTTP/1.1"),
};

for (const [name, attack] of Object.entries(rows)) {
  if (wanted === undefined || name.includes(wanted)) await measure(name, attack);
}

async function measure(name: string, attack: Attack): Promise<void> {
  const scratch = mkdtempSync(join(tmpdir(), "plimsoll-benchmark-"));
  try {
    using server = await startRegistry(scratch);
    using encrypted = await startServer("registry-tls", scratch, server.database);
    const attacked = name.includes("streams") ? encrypted : server;
    const path = await pushPublicBlob(server);
    const manifest = await pushPublicManifest(server);
    const others = await askingOf(attacked, server.basic);
    const atRest = stateOf(attacked);
    const from = performance.now();
    const sockets = await attack({ plain: targetOf(server), encrypted: targetOf(encrypted), path, manifest });
    const peak = await peakDuring(attacked, Math.max(0, 1_000 * seconds - (performance.now() - from)));
    const held = stateOf(attacked);
    const times = await others.stop();
    for (const socket of sockets) socket.destroy();
    await delay(3_000);
    const after = stateOf(attacked);
    const p99 = times.length === 0 ? Number.POSITIVE_INFINITY : percentile(times, 0.99);
    const megabytes = [atRest, peak, after].map((state) =>
      state === undefined ? "ended" : state.megabytes.toFixed(0),
    );
    const descriptors = [atRest, peak, held, after].map((state) => state?.descriptors ?? "ended");
    console.log(
      `${name.padEnd(30)} MB ${megabytes.join(" → ")}; descriptors ${descriptors.join(" → ")}; others p50 ${percentile(times, 0.5).toFixed(1)} p99 ${p99.toFixed(1)} ms (${times.length})`,
    );
    if (after === undefined || (peak?.megabytes ?? 0) > mostMegabytes || p99 > longestP99Ms) process.exitCode = 1;
  } finally {
    rmSync(scratch, { recursive: true });
  }
}

async function pushPublicBlob(
  registry: Serving & { readonly basic: string; readonly bearer: string },
): Promise<string> {
  await pushImage(registry, "first/blobs");
  const visibility = { method: "POST", authorization: registry.bearer } as const;
  const path = "/api/v1/repository/first/blobs/changevisibility";
  await call(registry, { ...visibility, path, body: { visibility: "public" } });
  const body = randomBytes(blobBytes);
  const digest = digestOf(body);
  await call(registry, {
    method: "POST",
    path: `/v2/first/blobs/blobs/uploads/?digest=${digest}`,
    authorization: registry.basic,
    body,
    contentType: "application/octet-stream",
  });
  return `/v2/first/blobs/blobs/${digest}`;
}

/** An image whose manifest has an annotation of characters of two bytes, which take the longest to read. */
async function pushPublicManifest(registry: Serving & { readonly basic: string }): Promise<string> {
  const path = "/v2/first/blobs/manifests";
  const get = { method: "GET", authorization: registry.basic } as const;
  const image = (await call(registry, { ...get, path: `${path}/first` })) as { readonly mediaType: string };
  const body = Buffer.from(JSON.stringify({ ...image, annotations: { text: "é".repeat(1_900_000) } }));
  const put = { method: "PUT", authorization: registry.basic, contentType: image.mediaType, body } as const;
  await call(registry, { ...put, path: `${path}/large` });
  return `${path}/large`;
}

function targetOf({ address }: Serving): Target {
  const { hostname, port } = new URL(address);
  return { host: hostname, port: Number(port) };
}

/** Another client in a separate process, which sends small requests. */
async function askingOf({ address }: Serving, basic: string) {
  const small = `${address}/v2/first/blobs/blobs/${digestOf(Buffer.from("no layer at all"))} ${basic}`;
  const questions = [`${address}/api/v1/discovery`, `${address}/v2/first/blobs/manifests/first ${basic}`, small];
  const env = { ...process.env, NODE_TLS_REJECT_UNAUTHORIZED: "0", NODE_NO_WARNINGS: "1" };
  const client = fork(join(import.meta.dirname, "lib/asking-client.ts"), questions, { stdio: "inherit", env });
  await once(client, "message");
  return {
    async stop(): Promise<readonly number[]> {
      if (!client.connected) return [];
      client.send("stop");
      const [times] = await Promise.race([once(client, "message"), once(client, "exit").then(() => [[]])]);
      return times;
    },
  };
}

interface State {
  readonly megabytes: number;
  readonly descriptors: number;
}

/** Memory and descriptors of a process; undefined if it has ended. */
function stateOf({ pid }: Pick<Serving, "pid">): State | undefined {
  try {
    const [, kilobytes] = /VmRSS:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, "utf8")) ?? [];
    return { megabytes: (Number(kilobytes) * 1024) / 1e6, descriptors: readdirSync(`/proc/${pid}/fd`).length };
  } catch {
    return undefined;
  }
}

async function peakDuring(server: Serving, durationMs: number): Promise<State | undefined> {
  let peak: State | undefined;
  const until = performance.now() + durationMs;
  while (performance.now() < until) {
    const state = stateOf(server);
    if (state === undefined) return undefined;
    const { megabytes, descriptors } = state;
    peak = {
      megabytes: Math.max(megabytes, peak?.megabytes ?? 0),
      descriptors: Math.max(descriptors, peak?.descriptors ?? 0),
    };
    await delay(250);
  }
  return peak ?? stateOf(server);
}

console.log(`load ${loadavg()[0]?.toFixed(1)}`);
