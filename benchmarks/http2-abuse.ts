/**
 * Clients that waste the server's work over HTTP/2 and HTTP/1.1: 8 connections from one address, each opened again as soon as it is
 * closed. Prints for each kind what was sent, the processor time of the server, and the response times of an ordinary client from another
 * address, beside those without an attack, and beside those of a bare `node:http2` server, which answers at once and limits nothing.
 *
 *     node --conditions=plimsoll-source benchmarks/http2-abuse.ts [SECONDS] [NAME]...
 */
import { fork } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { connect } from "node:tls";
import { fileURLToPath } from "node:url";
import { isMainThread, parentPort, Worker, workerData } from "node:worker_threads";
import { loopbackCertificate } from "@plimsoll/testing";
import { Agent, request } from "undici";
import { frameOf, headerBlock, RawHttp2, requestOf, resetOf } from "../tests/support/raw-http2.ts";
import { ServiceProcess } from "../tests/support/service-process.ts";
import { usedBy } from "./lib/other-servers.ts";
import { percentile } from "./lib/percentile.ts";

const connections = 8;
const attackersAddress = "127.0.0.2";
const path = "/api/v1/repository?public=true";

/** What an attacker sends next; called again and again on one connection. */
type Attack = (count: number) => readonly Buffer[];

const many = (count: number, frame: Buffer): Buffer => Buffer.concat(Array.from({ length: count }, () => frame));
const streams = (count: number, each: (stream: number) => Buffer) => (turn: number) =>
  Array.from({ length: count }, (_, index) => each(2 * (turn * count + index) + 1));
const ping = frameOf("ping", { payload: Buffer.alloc(8) });
const settings = frameOf("settings", { payload: Buffer.from("000300000064", "hex") });
const window = frameOf("windowUpdate", { payload: Buffer.from("00000001", "hex") });
const priority = frameOf("priority", { stream: 1, payload: Buffer.from("0000000010", "hex") });
const fragment = frameOf("continuation", { stream: 1, payload: headerBlock({ "x-long": "x".repeat(1000) }) });

const attacks: Readonly<Record<string, Attack>> = {
  "rapid reset": streams(100, (stream) => Buffer.concat([requestOf(stream, path), resetOf(stream)])),
  "bursts of 950 streams": (turn) => (turn === 0 ? streams(950, (stream) => requestOf(stream, path))(0) : []),
  SETTINGS: () => [many(5_000, settings)],
  PING: () => [many(5_000, ping)],
  WINDOW_UPDATE: () => [many(5_000, window)],
  PRIORITY: () => [many(5_000, priority)],
  CONTINUATION: (turn) =>
    turn === 0 ? [frameOf("headers", { stream: 1, payload: headerBlock({ ":method": "GET" }) })] : [many(50, fragment)],
  "empty DATA": (turn) =>
    turn === 0
      ? [requestOf(1, "/api/v1/signin", { ":method": "POST", "content-type": "application/json" })]
      : [many(5_000, frameOf("data", { stream: 1 }))],
  "long headers": streams(10, (stream) => requestOf(stream, path, { "x-long": "x".repeat(14_000) })),
  "HTTP/1.1 that breaks off": () => [],
};

if (isMainThread) await main();
else await attack(workerData);

interface AttackOrder {
  readonly name: string;
  readonly port: number;
  readonly ca: string;
  readonly seconds: number;
}

/** What the attackers did. */
interface Attacked {
  sentBytes: number;
  opened: number;
  refused: number;
  cut: number;
  answers: number;
}

async function main(): Promise<void> {
  const seconds = Number(process.argv[2] ?? 5);
  const names = process.argv.slice(3);
  const scratch = mkdtempSync(join(tmpdir(), "plimsoll-benchmark-"));
  const { cert, key } = loopbackCertificate();
  const [tlsCertificate, tlsKey] = [join(scratch, "cert.pem"), join(scratch, "key.pem")];
  writeFileSync(tlsCertificate, cert);
  writeFileSync(tlsKey, key);
  try {
    for (const name of ["nothing", ...Object.keys(attacks)]) {
      if (names.length > 0 && !names.includes(name)) continue;
      const data = join(scratch, name.replaceAll(/\W/g, "-"));
      await using service = await ServiceProcess.start({ data, offline: "1", tlsCertificate, tlsKey });
      await service.listening();
      const logged = service.log.length;
      const order = { name, ca: String(cert), seconds };
      await measure({ pid: service.pid ?? 0, port: Number(new URL(service.url).port) }, order);
      const errors = service.log.slice(logged).filter((line) => line.includes('"level":"error"')).length;
      if (errors > 0) console.log(`  ${errors} error lines`);
      using bare = await startBareServer(tlsCertificate, tlsKey);
      await measure(bare, { ...order, title: "  a bare server" });
    }
  } finally {
    rmSync(scratch, { recursive: true });
  }
}

/** A server to attack. */
interface Attackable {
  readonly pid: number;
  readonly port: number;
}

async function startBareServer(...files: readonly string[]): Promise<Attackable & Disposable> {
  const child = fork(join(import.meta.dirname, "lib/bare-http2.ts"), files);
  const [port] = await once(child, "message");
  return { pid: child.pid ?? 0, port, [Symbol.dispose]: () => void child.kill() };
}

async function measure(
  { pid, port }: Attackable,
  { title, ...rest }: Omit<AttackOrder, "port"> & { readonly title?: string },
): Promise<void> {
  const order: AttackOrder = { ...rest, port };
  const dispatcher = new Agent({ connect: { ca: order.ca } });
  const ask = async () => {
    const from = performance.now();
    const answer = await request(`https://127.0.0.1:${port}${path}`, { dispatcher });
    await answer.body.dump();
    return performance.now() - from;
  };
  for (let count = 0; count < 50; count += 1) await ask();
  const before = usedBy({ pid }).cpuSeconds;
  const attacking =
    order.name === "nothing"
      ? delay(order.seconds * 1000).then(() => undefined)
      : once(new Worker(fileURLToPath(import.meta.url), { workerData: order }), "message").then(
          ([done]) => done as Attacked,
        );
  let isOver = false;
  void attacking.then(() => (isOver = true));
  const waits: number[] = [];
  while (!isOver) {
    waits.push(await ask());
    await delay(10);
  }
  const { cpuSeconds, peakBytes } = usedBy({ pid });
  const [p50, p99] = [0.5, 0.99].map((part) => percentile(waits, part).toFixed(1));
  console.log(
    `${(title ?? order.name).padEnd(26)} CPU ${(cpuSeconds - before).toFixed(1)} of ${order.seconds} s, others p50 ${p50} p99 ${p99} ms, peak ${(peakBytes / 1024 ** 2).toFixed(0)} MB ${JSON.stringify((await attacking) ?? {})}`,
  );
  await dispatcher.close();
}

async function attack(order: AttackOrder): Promise<void> {
  const done: Attacked = { sentBytes: 0, opened: 0, refused: 0, cut: 0, answers: 0 };
  const until = performance.now() + order.seconds * 1000;
  const one = order.name.startsWith("HTTP/1.1") ? breakOff : overHttp2;
  const work = async () => {
    while (performance.now() < until) {
      await one(order, done, until).catch(async () => {
        done.refused += 1;
        await delay(10);
      });
    }
  };
  await Promise.all(Array.from({ length: connections }, work));
  parentPort?.postMessage(done);
}

async function overHttp2({ name, port, ca }: AttackOrder, done: Attacked, until: number): Promise<void> {
  const next = attacks[name];
  if (next === undefined) throw new Error(`${name} is no attack`);
  using client = await RawHttp2.connect({ port, ca, localAddress: attackersAddress });
  done.opened += 1;
  for (let turn = 0; !client.isClosed && client.goAway === undefined && performance.now() < until; turn += 1) {
    const frames = next(turn);
    for (const { length } of frames) done.sentBytes += length;
    if (frames.length === 0) {
      await delay(200);
      break;
    }
    await client.send(...frames);
  }
  if (client.goAway !== undefined) done.cut += 1;
  done.answers += client.answers;
}

/** Sends a request over HTTP/1.1, and resets the connection. */
async function breakOff({ port, ca }: AttackOrder, done: Attacked): Promise<void> {
  const from = { localAddress: attackersAddress };
  const socket = connect({ port, host: "127.0.0.1", ca, ...from });
  await once(socket, "secureConnect");
  done.opened += 1;
  const closed = once(socket, "close");
  socket.write(`GET ${path} HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n`, () => socket.destroy());
  await closed;
}
