/**
 * How the time of each operation grows with the registry: it is filled to 1/100 and 1/10 of 100,000 repositories (20,000 in one
 * organization), 1,000,000 tags, 10,000,000 entries of the usage log, 50,000 users, 5,000 teams and 10,000 robots. Beside the time
 * of each operation stands how long it held the thread at most, and so everyone else; then the law between the two largest sizes.
 * The last rows delete the organization and run the job that takes it apart.
 *
 *     node --conditions=plimsoll-source benchmarks/growth.ts [--full] [PART …]
 *
 * `--full` adds the whole size, which takes some minutes and 10 GB; parts are fractions such as `0.01`. `PLIMSOLL_TEST_POSTGRES`
 * names a PostgreSQL server on which the same is measured then, in databases of its own.
 */
import { loadavg } from "node:os";
import { monitorEventLoopDelay } from "node:perf_hooks";
import { runDueJobs } from "@plimsoll/store";
import { type TestEngine, testEngines } from "@plimsoll/testing";
import { sql } from "kysely";
import { fillRegistry, fillSizes } from "../packages/registry-api/src/fixtures/fill-registry.ts";
import { type Call, openTestRegistry, type TestRegistry } from "../packages/registry-api/src/fixtures/test-registry.ts";
import { collectionJobs } from "../packages/registry-api/src/jobs/collect-garbage-job.ts";
import { countLogHours } from "../packages/registry-api/src/store/daily-log-counts.ts";

const span = "starttime=11/01/2026&endtime=11/21/2026";

/** The operations by what they are called in the table. */
const reads: readonly (readonly [name: string, path: string])[] = [
  ["an organization", "/organization/large"],
  ["its members, first page", "/organization/large/members"],
  ["its collaborators, first page", "/organization/large/collaborators"],
  ["its robots, first page", "/organization/large/robots"],
  ["its robots with permissions", "/organization/large/robots?permissions=true"],
  ["members of a team", "/organization/large/team/team2/members"],
  ["permissions of a team", "/organization/large/team/team2/permissions"],
  ["default permissions", "/organization/large/prototypes"],
  ["repositories of a namespace", "/repository?namespace=large"],
  ["public repositories", "/repository?public=true"],
  ["a repository", "/repository/large/repository1"],
  ["its tags", "/repository/large/repository1/tag/"],
  ["users with roles on it", "/repository/large/repository1/permissions/user/"],
  ["teams with roles on it", "/repository/large/repository1/permissions/team/"],
  ["its log", `/repository/large/repository1/logs?${span}`],
  ["the log of an organization", `/organization/large/logs?${span}`],
  ["its log counted by day", `/organization/large/aggregatelogs?${span}`],
  ["the log of everything", `/superuser/logs?${span}`],
  ["everything counted by day", `/superuser/aggregatelogs?${span}`],
  ["all users, first page", "/superuser/users/"],
  ["all organizations", "/superuser/organizations/"],
  ["repositories found by a word", "/find/repositories?query=repository1"],
  ["entities by the begin of a name", "/entities/user1"],
  ["who is signed in", "/user/"],
];

/** Milliseconds that an operation took, and that it held the thread at most. */
interface Timing {
  readonly tookMs: number;
  readonly heldMs: number;
}

const rounds = 3;

const given = process.argv.slice(2).filter((argument) => argument !== "--full");
const parts = [
  ...(given.length > 0 ? given.map(Number) : [0.01, 0.1]),
  ...(process.argv.includes("--full") ? [1] : []),
];
const engines = testEngines.filter(({ name, skip }) => name !== "SQLite memory" && skip === undefined);

for (const engine of engines) {
  console.log(`\n${engine.name}, parts ${parts.join(", ")} (load ${loadavg()[0]?.toFixed(1)})`);
  const sizes = new Map<number, ReadonlyMap<string, Timing>>();
  for (const part of parts) sizes.set(part, await measure(engine, part));
  print(sizes);
}

async function measure(engine: TestEngine, part: number): Promise<ReadonlyMap<string, Timing>> {
  await using registry = await openTestRegistry({ engine, features: { superuserFullAccess: true } });
  await fillRegistry(registry.store.db, fillSizes(part), registry.time.now);
  await countLogHours(registry.store, registry.time.now, new AbortController().signal); // as a job does meanwhile
  await sql`analyze`.execute(registry.store.db);
  const call = await registry.session(await registry.user("root"));
  const timings = new Map<string, Timing>();
  for (const [name, path] of reads) timings.set(name, await best(() => ask(call, "GET", path)));
  timings.set("deleting the organization", await timed(() => ask(call, "DELETE", "/superuser/organizations/large")));
  timings.set("the job that takes it apart", await timed(() => runJobs(registry)));
  return timings;
}

async function ask(call: Call, method: string, path: string): Promise<void> {
  const { status, body } = await call(method, path);
  if (status >= 300) throw new Error(`${method} ${path}: ${status} ${JSON.stringify(body).slice(0, 200)}`);
}

async function runJobs({ store, time }: TestRegistry): Promise<void> {
  const clock = { now: () => time.now };
  const blobs = { deleteUpload: async () => {}, delete: async () => {} } as never; // nothing of a filled registry is in files
  const handlers = collectionJobs({ store, blobs, clock });
  await runDueJobs({ store, handlers, clock, random: () => 0, sleep: async () => {} });
}

/** The quickest of some rounds: what others do on the machine makes it no quicker. */
async function best(work: () => Promise<void>): Promise<Timing> {
  const timings: Timing[] = [];
  for (let round = 0; round < rounds; round++) timings.push(await timed(work));
  return timings.reduce((quickest, each) => (each.tookMs < quickest.tookMs ? each : quickest));
}

async function timed(work: () => Promise<void>): Promise<Timing> {
  const delay = monitorEventLoopDelay({ resolution: 1 });
  delay.enable();
  await aWhile(); // until it counts
  const startedAt = performance.now();
  await work();
  const tookMs = performance.now() - startedAt;
  await aWhile(); // until it has counted
  delay.disable();
  return { tookMs, heldMs: Math.max(0, delay.max / 1e6 - 1) };
}

function aWhile(): Promise<unknown> {
  return new Promise((resolve) => setTimeout(resolve, 5));
}

function print(sizes: ReadonlyMap<number, ReadonlyMap<string, Timing>>): void {
  const last = parts.at(-1) ?? 1;
  const before = parts.at(-2) ?? last;
  console.log(`| operation | ${parts.map((part) => `${part}: ms, held`).join(" | ")} | law |`);
  console.log(`| --- | ${parts.map(() => "---").join(" | ")} | --- |`);
  for (const name of sizes.get(last)?.keys() ?? []) {
    const timings = parts.map((part) => sizes.get(part)?.get(name) ?? { tookMs: 0, heldMs: 0 });
    const shown = timings.map(({ tookMs, heldMs }) => `${tookMs.toFixed(1)}, ${heldMs.toFixed(0)}`);
    const [small, large] = [timings.at(-2)?.tookMs ?? 0, timings.at(-1)?.tookMs ?? 0];
    console.log(`| ${name} | ${shown.join(" | ")} | ${lawOf(Math.log(large / small) / Math.log(last / before))} |`);
  }
}

/** Names a power of the size: n·log n lies just above the first. */
function lawOf(power: number): string {
  if (power < 0.2) return "flat";
  if (power < 0.85) return `n^${power.toFixed(1)}`;
  if (power < 1.1) return "n";
  return power < 1.25 ? "n·log n" : `n^${power.toFixed(1)}: above n·log n`;
}
