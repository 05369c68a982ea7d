/**
 * How the time of each operation grows with the registry. It is filled to 1/100 and 1/10 of 100,000 repositories (20,000 in one
 * organization), 1,000,000 tags, 10,000,000 entries of the usage log, 50,000 users, 5,000 teams and 10,000 robots. Every operation
 * of the management API is called in a small organization of that registry, and those with large responses in the large one. The table
 * shows the time, the longest time for which the thread was blocked, and the growth between the two largest sizes. The last rows delete
 * the organization and run the job that deletes its content.
 *
 *     node --conditions=plimsoll-source benchmarks/growth.ts [--full] [PART …]
 *
 * `--full` adds the full size, which takes some minutes and 10 GB; parts are fractions such as `0.01`. If `PLIMSOLL_TEST_POSTGRES`
 * names a PostgreSQL server, the same is also measured there, in separate databases.
 */
import { loadavg } from "node:os";
import { runDueJobs, systemTime } from "@plimsoll/store";
import { type TestEngine, testEngines } from "@plimsoll/testing";
import { sql } from "kysely";
import { collectionJobs } from "../packages/registry/src/lifecycle/collection/jobs.ts";
import { countLogHours } from "../packages/registry/src/logs/queries/usage-log.ts";
import { fillRegistry, fillSizes } from "../packages/registry-api/src/fixtures/fill-registry.ts";
import type { Call, TestRegistry } from "../packages/registry-api/src/fixtures/test-registry.ts";
import { openCast } from "../packages/registry-api/src/golden/fixtures/cast.ts";
import { requestOf, usernameOf } from "../packages/registry-api/src/golden/fixtures/examples.ts";
import { firstAdmitted, isEverAdmitted, readGolden } from "../packages/registry-api/src/golden/fixtures/read-golden.ts";
import { openWorld, type World } from "../packages/registry-api/src/golden/fixtures/world.ts";
import { best, type Timing, timed } from "./lib/held-thread.ts";

const span = "starttime=11/01/2026&endtime=11/21/2026";

/** Operations by their names in the table. */
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

const rounds = 5;

/** Shorter times count as this one, because they are mostly noise. */
const leastMs = 3;

const given = process.argv.slice(2).filter((argument) => argument !== "--full");
const parts = [
  ...(given.length > 0 ? given.map(Number) : [0.01, 0.1]),
  ...(process.argv.includes("--full") ? [1] : []),
];
const engines = testEngines.filter(({ name, skip }) => name !== "SQLite memory" && skip === undefined);

for (const engine of engines) {
  const sizes = new Map<number, ReadonlyMap<string, Timing>>();
  for (const part of parts) {
    sizes.set(part, await measure(engine, part));
    console.log(`\n${engine.name}, ${[...sizes.keys()].join(", ")} of the whole (load ${loadavg()[0]?.toFixed(1)})`);
    print(sizes, engine.name === "PostgreSQL" ? "tookMs" : "cpuMs");
  }
}

async function measure(engine: TestEngine, part: number): Promise<ReadonlyMap<string, Timing>> {
  const world = await openWorld(engine);
  await using registry = world.registry;
  const { db } = registry.store;
  await fillRegistry(db, fillSizes(part), registry.time.now);
  await db.insertInto("team_member").values({ team_id: "t2", account_id: world.accounts.root.id }).execute(); // its admins
  await countLogHours(registry.store, registry.time.now, new AbortController().signal); // as a job does meanwhile
  await sql`analyze`.execute(db);
  const call = await registry.session(world.accounts.root);
  const timings = new Map<string, Timing>();
  for (const [name, path] of reads) timings.set(name, await best(rounds, () => ask(call, { method: "GET", path })));
  for (const [id, timing] of await measureAll(world)) timings.set(id, timing);
  timings.set(
    "deleting the organization",
    await timed(() => ask(call, { method: "DELETE", path: "/superuser/organizations/large" })),
  );
  const { status } = await call("GET", "/organization/large");
  if (status !== 404) throw new Error(`GET /organization/large: ${status} after it was deleted, expected 404`);
  timings.set("the job that deletes its content", await timed(() => runJobs(registry)));
  return timings;
}

/** Measures each operation with the first caller that may use it; its changes are undone each time. */
async function measureAll(world: World): Promise<ReadonlyMap<string, Timing>> {
  const cast = await openCast(world);
  const timings = new Map<string, Timing>();
  world.rehearsal.on = true;
  for (const operation of readGolden().filter(isEverAdmitted)) {
    const caller = firstAdmitted(operation);
    const { path, body } = requestOf(operation, world, { username: usernameOf(caller) });
    const call = cast(operation, caller, "session");
    timings.set(operation.id, await best(rounds, () => ask(call, { method: operation.method, path, sent: body })));
  }
  world.rehearsal.on = false;
  return timings;
}

interface Asked {
  readonly method: string;
  readonly path: string;
  readonly sent?: unknown | undefined;
}

async function ask(call: Call, { method, path, sent }: Asked): Promise<void> {
  const { status, body } = await call(method, path, sent);
  if (status >= 400) throw new Error(`${method} ${path}: ${status} ${JSON.stringify(body).slice(0, 200)}`);
}

async function runJobs({ store, time }: TestRegistry): Promise<void> {
  const clock = { now: () => time.now };
  const blobs = { deleteUpload: async () => {}, delete: async () => {} } as never; // a filled registry has no files
  const jobs = collectionJobs({ store, blobs, clock });
  await runDueJobs({ store, jobs, clock, random: () => 0, sleep: systemTime.sleep });
}

/** @param by the time whose growth is shown: elapsed time if another program does most of the work, else processor time */
function print(sizes: ReadonlyMap<number, ReadonlyMap<string, Timing>>, by: "tookMs" | "cpuMs"): void {
  const measured = [...sizes.keys()];
  const last = measured.at(-1) ?? 1;
  const before = measured.at(-2) ?? last;
  console.log(`| operation | ${measured.map((part) => `${part}: ms, CPU, blocked`).join(" | ")} | growth |`);
  console.log(`| --- | ${measured.map(() => "---").join(" | ")} | --- |`);
  for (const [name, large] of sizes.get(last) ?? []) {
    const timings = measured.flatMap((part) => sizes.get(part)?.get(name) ?? []);
    const shown = timings.map(({ tookMs, cpuMs, heldMs }) =>
      [tookMs, cpuMs, heldMs].map((ms) => ms.toFixed(1)).join(", "),
    );
    const small = sizes.get(before)?.get(name) ?? large;
    const power = Math.log(large[by] / Math.max(small[by], leastMs)) / Math.log(last / before);
    console.log(`| ${name} | ${shown.join(" | ")} | ${growthOf(power)}${large.heldMs > 50 ? ", blocks others" : ""} |`);
  }
}

/** The name of a power of the size; n·log n appears as a power just above 1. */
function growthOf(power: number): string {
  if (!(power >= 0.2)) return "flat";
  if (power < 0.85) return `n^${power.toFixed(1)}`;
  if (power < 1.1) return "n";
  return power < 1.25 ? "n·log n" : `n^${power.toFixed(1)}: above n·log n`;
}
