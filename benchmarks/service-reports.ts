/**
 * The vulnerability report of an image of 500 packages, which every request matches against 500,000 ranges. For comparison: a bare
 * `node:http` server that runs the raw `json_each` join of `match.ts` before it sends the same bytes. Also measures the memory of the
 * service while clients continuously request reports.
 *
 *     node --conditions=plimsoll-source benchmarks/service-reports.ts
 */
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { loadavg, tmpdir } from "node:os";
import { join } from "node:path";
import { dpkg } from "@plimsoll/core";
import type { IndexRecord } from "@plimsoll/core/match";
import { type BuiltLayer, buildLayer } from "@plimsoll/testing";
import { request } from "undici";
import { lookupKeys } from "../packages/core/src/match/lookup-keys.ts";
import { copyRanges, loadAdvisories } from "./lib/advisory-database.ts";
import { compareServers, comparisonLine } from "./lib/compare-servers.ts";
import { type Asked, countAnswers } from "./lib/load.ts";
import { startServer } from "./lib/serving.ts";
import { imageOfPackages } from "./lib/synthetic-advisories.ts";

const scratch = mkdtempSync(join(tmpdir(), "plimsoll-benchmark-"));
const database = join(scratch, "scanner.sqlite");
const referenceDatabase = join(scratch, "reference.sqlite");

try {
  await loadAdvisories(database);
  copyRanges(database, referenceDatabase);
  const asked = await submitImage();
  await compare(asked);
  for (const clients of [1, 32]) await measureMemory(asked, clients);
  console.log(`load ${loadavg()[0]?.toFixed(1)}`);
} finally {
  rmSync(scratch, { recursive: true });
}

/** Indexes the image and returns the request for its report. */
async function submitImage(): Promise<Asked> {
  const layer = await buildLayer({
    "etc/os-release": 'ID=debian\nVERSION_ID="12"\nVERSION_CODENAME=bookworm\nNAME="Debian GNU/Linux"\n',
    "var/lib/dpkg/status": imageOfPackages().map(statusEntry).join("\n"),
  });
  using ours = await startServer("plimsoll", database);
  await using blobs = await serveLayer(layer);
  const digest = `sha256:${"5".repeat(64)}`;
  const { statusCode, body } = await request(`${ours.address}/indexer/api/v1/index_report`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ hash: digest, layers: [{ hash: layer.digest, uri: blobs.url }] }),
  });
  if (statusCode !== 201) throw new Error(`cannot index: ${statusCode} ${await body.text()}`);
  await body.dump();
  return { method: "GET", path: `/matcher/api/v1/vulnerability_report/${digest}` };
}

function statusEntry({ package: installed }: IndexRecord): string {
  const { name, version, arch } = installed;
  const lines = { Package: name, Status: "install ok installed", Architecture: arch, Version: version };
  return `${Object.entries(lines)
    .map(([field, value]) => `${field}: ${value}`)
    .join("\n")}\n`;
}

async function serveLayer({ bytes }: BuiltLayer): Promise<AsyncDisposable & { readonly url: string }> {
  const server = createServer((_, response) => response.end(bytes)).listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/layer`,
    async [Symbol.asyncDispose]() {
      server.close();
      server.closeAllConnections();
    },
  };
}

async function compare(asked: Asked): Promise<void> {
  using ours = await startServer("plimsoll", database);
  using bare = await startServer("bare");
  const { keys } = lookupKeys(dpkg.matchers.slice(0, 1), imageOfPackages());
  const texts = JSON.stringify(keys.map(({ ecosystem, name }) => [ecosystem, name]));
  await bare.tell({ join: { database: referenceDatabase, keys: texts } });
  for (const connections of [1, 16]) {
    const compared = await compareServers({ ours, bare }, { asked, connections, seconds: 1 }, 5);
    console.log(comparisonLine(`report, ${connections} at a time`, compared));
  }
}

async function measureMemory(asked: Asked, clients: number): Promise<void> {
  using ours = await startServer("plimsoll", database);
  const before = await ours.tell({});
  const answers = await countAnswers(ours.address, { asked, connections: clients, seconds: 5 });
  const after = await ours.tell({});
  const [started, peak] = [before, after].map(({ peakBytes }) => (peakBytes / 1e6).toFixed(0));
  console.log(`${clients} clients: peak ${peak} MB, ${started} MB when started; ${answers} reports in 5 s`);
}
