/**
 * The time of tag lists in a repository of 100,000 tags compared to one with 100: pages of the management API at the beginning, in the
 * middle and at the end, with filters, and pages of the distribution's list at several depths. Besides the response time, it shows how
 * long the server's main thread ran and how long it waited for a core, which on a busy machine is most of the slowest responses.
 *
 *     node --conditions=plimsoll-source benchmarks/registry-tags.ts
 *
 * `PLIMSOLL_TEST_POSTGRES` names an empty PostgreSQL database to use instead of SQLite.
 */
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { loadavg, tmpdir } from "node:os";
import { join } from "node:path";
import { request } from "undici";
import { percentile } from "./lib/percentile.ts";
import { addTags, pushImage, type ServedRegistry, startRegistry } from "./lib/registry.ts";

const rounds = 200;
const many = 100_000;
const few = 100;
const scratch = mkdtempSync(join(tmpdir(), "plimsoll-benchmark-"));

/** A list, and its path in a repository with a number of tags. */
interface List {
  readonly name: string;
  readonly path: (repository: string, tags: number) => string;
}

const managed = (repository: string, query: string) => `/api/v1/repository/${repository}/tag/?limit=100&${query}`;
const distributed = (repository: string, last: number) =>
  `/v2/${repository}/tags/list?n=100&last=build-${String(Math.floor(last)).padStart(6, "0")}`;

const lists: readonly List[] = [
  { name: "first page", path: (repository) => managed(repository, "page=1") },
  { name: "page in the middle", path: (repository, tags) => managed(repository, `page=${Math.ceil(tags / 200)}`) },
  { name: "last page", path: (repository, tags) => managed(repository, `page=${tags / 100}`) },
  { name: "active tags, first page", path: (repository) => managed(repository, "onlyActiveTags=true") },
  { name: "one tag by name", path: (repository) => managed(repository, "specificTag=build-000042") },
  { name: "part of a name, common", path: (repository) => managed(repository, "filter_tag_name=like:build-00") },
  { name: "part of a name, rare", path: (repository) => managed(repository, "filter_tag_name=like:first") },
  { name: "tags/list, first page", path: (repository) => distributed(repository, 0) },
  { name: "tags/list, in the middle", path: (repository, tags) => distributed(repository, tags / 2) },
  { name: "tags/list, last page", path: (repository, tags) => distributed(repository, tags - 100) },
];

try {
  using registry = await startRegistry(scratch, process.env.PLIMSOLL_TEST_POSTGRES);
  for (const [name, tags] of [
    ["many", many],
    ["few", few],
  ] as const) {
    await pushImage(registry, `first/${name}`);
    await addTags(registry, name, tags - 1);
  }
  for (const { name, path } of lists) {
    const ofMany: Timing[] = [];
    const ofFew: Timing[] = [];
    for (let round = 0; round < rounds; round++) {
      ofMany.push(await timed(registry, path("first/many", many)));
      ofFew.push(await timed(registry, path("first/few", few)));
    }
    const wall = percentile(walls(ofMany), 0.5) / percentile(walls(ofFew), 0.5);
    console.log(`${name.padEnd(26)} ${shown(ofMany)}; of ${few} tags ${shown(ofFew)}; ratio ${wall.toFixed(2)}`);
  }
  console.log(`load ${loadavg()[0]?.toFixed(1)}`);
} finally {
  rmSync(scratch, { recursive: true });
}

/** Milliseconds of one request. */
interface Timing {
  readonly wall: number;
  /** How long the server's main thread ran and, below, waited for a core. */
  readonly ran: number;
  readonly waited: number;
}

async function timed({ address, bearer, basic, pid }: ServedRegistry, path: string): Promise<Timing> {
  const before = scheduled(pid);
  const startedAt = performance.now();
  const authorization = path.startsWith("/v2/") ? basic : bearer;
  const { statusCode, body } = await request(`${address}${path}`, { headers: { authorization } });
  await body.dump();
  if (statusCode !== 200) throw new Error(`${path}: ${statusCode}`);
  const wall = performance.now() - startedAt;
  const after = scheduled(pid);
  return { wall, ran: after.ran - before.ran, waited: after.waited - before.waited };
}

/** How long the main thread of a process has run and waited for a core. @see https://docs.kernel.org/scheduler/sched-stats.html */
function scheduled(pid: number): { readonly ran: number; readonly waited: number } {
  const [ran = 0, waited = 0] = readFileSync(`/proc/${pid}/schedstat`, "utf8").split(" ").map(Number);
  return { ran: ran / 1e6, waited: waited / 1e6 };
}

function walls(timings: readonly Timing[]): readonly number[] {
  return timings.map(({ wall }) => wall);
}

function shown(timings: readonly Timing[]): string {
  const columns = (["wall", "ran", "waited"] as const).map((what) => {
    const numbers = timings.map((timing) => timing[what]);
    return `${what} p50 ${percentile(numbers, 0.5).toFixed(1)} p99 ${percentile(numbers, 0.99).toFixed(1)}`;
  });
  return `${columns.join(", ")} ms`;
}
