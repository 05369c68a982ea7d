/**
 * Requests per second of the service, each compared to a bare `node:http` server that sends the same bytes and headers. Both
 * servers are separate processes, which this one loads in turn.
 *
 *     node --conditions=plimsoll-source benchmarks/service-requests.ts
 */
import { mkdtempSync, rmSync } from "node:fs";
import { loadavg, tmpdir } from "node:os";
import { join } from "node:path";
import { SignJWT } from "jose";
import { request } from "undici";
import { compareServers, comparisonLine } from "./lib/compare-servers.ts";
import type { Asked } from "./lib/load.ts";
import { startServer } from "./lib/serving.ts";

const rounds = 10;
const key = Buffer.alloc(32, "k");
const manifest = JSON.stringify({ hash: `sha256:${"0".repeat(64)}`, layers: [] });
const reports = "/indexer/api/v1/index_report";
const scratch = mkdtempSync(join(tmpdir(), "plimsoll-benchmark-"));

try {
  const token = await new SignJWT().setProtectedHeader({ alg: "HS256" }).setIssuer("benchmark").sign(key);
  const authorization = `Bearer ${token}`;
  using ours = await startServer("plimsoll", join(scratch, "open.sqlite"));
  using guarded = await startServer("plimsoll", join(scratch, "guarded.sqlite"), key.toString("base64"));
  using bare = await startServer("bare");
  const submit: Asked = {
    method: "POST",
    path: reports,
    headers: { "content-type": "application/vnd.scanner.manifest.v1+json" },
    body: manifest,
  };
  const { path, ...submission } = submit;
  const { headers } = await request(`${ours.address}${path}`, submission);
  const known = `${reports}/sha256:${"0".repeat(64)}`;
  const state: Asked = { method: "GET", path: "/indexer/api/v1/index_state" };
  const rows: readonly (readonly [name: string, server: typeof ours, asked: Asked])[] = [
    ["index state", ours, state],
    ["index state, with a token", guarded, { ...state, headers: { authorization } }],
    ["index report, unchanged", ours, { method: "GET", path: known, headers: { "if-none-match": `${headers.etag}` } }],
    ["index report", ours, { method: "GET", path: known }],
    ["update operations", ours, { method: "GET", path: "/matcher/api/v1/internal/update_operation" }],
    ["index of a known manifest", ours, submit],
  ];
  for (const [name, server, asked] of rows) {
    const load = { asked, connections: 32, seconds: 0.4 };
    console.log(comparisonLine(name, await compareServers({ ours: server, bare }, load, rounds)));
  }
  const { peakBytes } = await ours.tell({});
  const { peakBytes: barePeakBytes } = await bare.tell({});
  console.log(`peak ${megabytes(peakBytes)}, bare ${megabytes(barePeakBytes)}; load ${loadavg()[0]?.toFixed(1)}`);
} finally {
  rmSync(scratch, { recursive: true });
}

function megabytes(bytes: number): string {
  return `${(bytes / 1e6).toFixed(0)} MB`;
}
