/**
 * Requests a second of a service, beside a bare `node:http` server that sends bytes of the same size, in one run: the
 * index state, a known index report, and submitting a known manifest. One process serves and asks.
 */
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { defaultServiceSettings, startServing } from "@plimsoll/server/serve";
import { pino } from "pino";
import { Agent, request } from "undici";

const connections = 32;
const seconds = 4;

interface Asked {
  readonly url: string;
  readonly method: "GET" | "POST";
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
}

async function requestsPerSecond(asked: Asked): Promise<{ rate: number; bytes: number }> {
  const dispatcher = new Agent({ connections });
  const { url, ...options } = asked;
  let bytes = 0;
  async function run(milliseconds: number): Promise<number> {
    const end = performance.now() + milliseconds;
    let count = 0;
    const ask = async () => {
      while (performance.now() < end) {
        const { body } = await request(url, { ...options, dispatcher });
        bytes = (await body.arrayBuffer()).byteLength;
        count += 1;
      }
    };
    await Promise.all(Array.from({ length: connections }, ask));
    return count;
  }
  await run(1000);
  const rate = (await run(seconds * 1000)) / seconds;
  await dispatcher.close();
  return { rate, bytes };
}

async function bareRate(asked: Asked, bytes: number): Promise<number> {
  const content = Buffer.alloc(bytes, "x");
  const server = createServer((incoming, response) => {
    incoming.resume();
    response.writeHead(200, { "content-type": "application/json", "content-length": bytes }).end(content);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { rate } = await requestsPerSecond({
    ...asked,
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
  });
  server.closeAllConnections();
  server.close();
  return rate;
}

const settings = { ...defaultServiceSettings, database: ":memory:", port: 0, healthPort: 0 };
await using service = await startServing(settings, { logger: pino({ level: "silent" }), clock: Date });
const manifest = JSON.stringify({ hash: `sha256:${"0".repeat(64)}`, layers: [] });
const headers = { "content-type": "application/vnd.scanner.manifest.v1+json" };
const reports = `${service.address}/indexer/api/v1/index_report`;
await request(reports, { method: "POST", headers, body: manifest });

const rows: readonly (readonly [name: string, asked: Asked])[] = [
  ["index state", { url: `${service.address}/indexer/api/v1/index_state`, method: "GET" }],
  ["known index report", { url: `${reports}/sha256:${"0".repeat(64)}`, method: "GET" }],
  ["submit a known manifest", { url: reports, method: "POST", headers, body: manifest }],
];
for (const [name, asked] of rows) {
  const { rate, bytes } = await requestsPerSecond(asked);
  const bare = await bareRate(asked, bytes);
  console.log(
    `${name}: ${Math.round(rate)}/s, bare node:http ${Math.round(bare)}/s, ratio ${(rate / bare).toFixed(2)}`,
  );
}
console.log(`resident memory after the run: ${Math.round(process.memoryUsage.rss() / 1e6)} MB`);
