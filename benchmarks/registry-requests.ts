/**
 * Requests per second of the management API on SQLite, with a bearer token or anonymously, each compared to a bare `node:http` server
 * that sends the same bytes and headers. Both servers are separate processes, which this one loads in turn.
 *
 *     node --conditions=plimsoll-source benchmarks/registry-requests.ts
 */
import { mkdtempSync, rmSync } from "node:fs";
import { loadavg, tmpdir } from "node:os";
import { join } from "node:path";
import { compareServers, comparisonLine } from "./lib/compare-servers.ts";
import { addTags, call, pushImage, startRegistry } from "./lib/registry.ts";
import { startServer } from "./lib/serving.ts";

const rounds = 10;
const scratch = mkdtempSync(join(tmpdir(), "plimsoll-benchmark-"));

try {
  using ours = await startRegistry(scratch);
  using bare = await startServer("bare");
  const authorization = ours.bearer;
  await call(ours, { method: "POST", path: "/api/v1/organization/", authorization, body: { name: "harbour" } });
  await pushImage(ours, "harbour/lighter");
  await addTags(ours, "lighter", 9);
  const repository = "/api/v1/repository/harbour/lighter";
  await call(ours, {
    method: "POST",
    path: `${repository}/changevisibility`,
    authorization,
    body: { visibility: "public" },
  });
  const anonymous = {};
  const byToken = { authorization };
  const rows: readonly (readonly [name: string, path: string, caller: Readonly<Record<string, string>>])[] = [
    ["error description, from memory", "/api/v1/error/not_found", anonymous],
    ["public repository, anonymous", `${repository}?includeTags=false`, anonymous],
    ["repository", `${repository}?includeTags=false`, byToken],
    ["repository with 10 tags", repository, byToken],
    ["10 tags", `${repository}/tag/`, byToken],
    ["one tag", `${repository}/tag/?specificTag=first`, byToken],
    ["organization", "/api/v1/organization/harbour", byToken],
    ["the caller", "/api/v1/user/", byToken],
  ];
  for (const [name, path, caller] of rows) {
    const asked = { method: "GET", path, headers: { ...caller, "x-requested-with": "XMLHttpRequest" } } as const;
    const load = { asked, connections: 32, seconds: 0.4 };
    console.log(comparisonLine(name, await compareServers({ ours, bare }, load, rounds)));
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
