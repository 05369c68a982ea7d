/**
 * A server in a separate process, which its parent loads and measures. `plimsoll DATABASE [KEY]` has a base64 key for tokens.
 * `registry FOLDER DATABASE` is `plimsoll` with a registry whose blobs are in the folder, `registry-tls` the same with HTTPS. `soaked FOLDER DATABASE` is the same with the
 * heap limits of `plimsoll serve` and with garbage collection after seconds instead of hours. `bare` is plain `node:http` that sends the
 * response that its parent sets. `sink FOLDER` is `node:http` that stores blobs.
 */
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { monitorEventLoopDelay } from "node:perf_hooks";
import { DatabaseSync } from "node:sqlite";
import type { ServiceSettings } from "@plimsoll/server/serve";
import { loopbackCertificate } from "@plimsoll/testing";
import { graceMs } from "../../packages/registry/src/content/lifetimes.ts";
import { keepHeapSmall } from "../../packages/server/src/keep-heap-small.ts";
import { prepareRawJoin } from "./advisory-database.ts";
import { createBlobSink } from "./blob-sink.ts";
import type { Told, Used } from "./serving.ts";
import { soakGraceMs } from "./soak-grace.ts";
import { watchWriters } from "./writer-turns.ts";

async function startPlimsoll(database: string, settings: Partial<ServiceSettings>): Promise<string> {
  const { defaultServiceSettings, startServing } = await import("@plimsoll/server/serve");
  const { pino } = await import("pino");
  const { address } = await startServing(
    { ...defaultServiceSettings, database, port: 0, healthPort: 0, layerNetworks: ["127.0.0.1"], ...settings },
    { logger: pino({ level: "error" }), clock: Date },
  );
  return address;
}

function startScanner(database: string, key: string | undefined): Promise<string> {
  const auth = key !== undefined && { auth: { key: Buffer.from(key, "base64"), issuers: ["benchmark"] } };
  return startPlimsoll(database, { ...auth });
}

async function startRegistry(folder: string, database: string, more: Partial<ServiceSettings> = {}): Promise<string> {
  const { defaultRegistrySettings } = await import("@plimsoll/registry");
  const { host, ...settings } = defaultRegistrySettings;
  const storage = { kind: "files", folder: join(folder, "storage") } as const;
  const reaching = { ...settings, allowedInternalHosts: ["127.0.0.1"] };
  const registry = { settings: reaching, storage, secretFile: join(folder, "registry-secret") };
  return startPlimsoll(database, { registry, trustedProxies: ["127.0.0.1"], ...more });
}

function startWithTls(folder: string, database: string): Promise<string> {
  const { certFile: certificate, keyFile: key } = loopbackCertificate();
  return startRegistry(folder, database, { tls: { certificate, key } });
}

async function startSoaked(folder: string, database: string): Promise<string> {
  keepHeapSmall();
  Object.assign(graceMs, soakGraceMs);
  return startRegistry(folder, database);
}

let answer: Required<Told>["answer"] = { status: 200, headers: [], body: "" };
let beforeEach = () => {};

function startBare(): Promise<string> {
  return listen(
    createServer((request, response) => {
      request.resume();
      beforeEach();
      response.writeHead(answer.status, [...answer.headers]).end(answer.body);
    }),
  );
}

async function listen(server: Server): Promise<string> {
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

function listenTo({ answer: told, join }: Told): void {
  answer = told ?? answer;
  if (join === undefined) return;
  const read = prepareRawJoin(new DatabaseSync(join.database, { readOnly: true }));
  beforeEach = () => void read(join.keys);
}

const takeWriters = watchWriters();
const delays = monitorEventLoopDelay({ resolution: 5 });
delays.enable();

/** The most processor time of this thread between two turns of its event loop: unlike a delay, it does not depend on what else the machine does. */
let busyMicroseconds = 0;
let usedBefore = 0;
setInterval(() => {
  const { user, system } = process.threadCpuUsage();
  busyMicroseconds = Math.max(busyMicroseconds, user + system - usedBefore);
  usedBefore = user + system;
}, 2).unref();

process.on("message", (told: Told) => {
  listenTo(told);
  const { user, system } = process.cpuUsage();
  const peakBytes = process.resourceUsage().maxRSS * 1024;
  const blockedMs = delays.max / 1e6;
  const busyMs = busyMicroseconds / 1000;
  delays.reset();
  busyMicroseconds = 0;
  const cpuMicroseconds = user + system;
  process.send?.({ cpuMicroseconds, peakBytes, blockedMs, busyMs, writers: takeWriters() } satisfies Used);
});
process.once("disconnect", () => process.exit());
const [what, place = "", other] = process.argv.slice(2);
const starts: Readonly<Record<string, () => Promise<string>>> = {
  plimsoll: () => startScanner(place, other),
  registry: () => startRegistry(place, other ?? ""),
  "registry-tls": () => startWithTls(place, other ?? ""),
  soaked: () => startSoaked(place, other ?? ""),
  bare: startBare,
  sink: () => listen(createBlobSink(place)),
};
process.send?.(await starts[what ?? ""]?.());
