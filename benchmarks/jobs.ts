/**
 * The queue of jobs, with two nodes on one database: how many jobs are enqueued and run in a second, and how long a job waits
 * between the beginning of the transaction that enqueues it and its own beginning on idle nodes, while 0 and while 1,000,000 jobs of another kind wait.
 *
 *     node --conditions=plimsoll-source benchmarks/jobs.ts
 *
 * `PLIMSOLL_TEST_POSTGRES` names an empty PostgreSQL database to measure beside SQLite. An argument is the number of other jobs.
 */
import { mkdtempSync, rmSync } from "node:fs";
import { loadavg, tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { enqueueJob, job, openStore, type Store, startJobWorker, systemTime } from "@plimsoll/store";
import { sql } from "kysely";
import { Type } from "typebox";

const others = Number(process.argv[2] ?? 1_000_000);
const jobs = 2_000;
const probes = 100;
const writers = 10;
const { clock } = systemTime;

type Act = (beganAt: number) => void;

const measured = job({
  kind: "bench.measured",
  payload: Type.Object({ enqueuedAt: Type.Number() }),
  concurrency: 4,
  handle: async ({ payload }, act: Act) => act(performance.now() - payload.enqueuedAt),
});

const scratch = mkdtempSync(join(tmpdir(), "plimsoll-benchmark-"));
const locations = [join(scratch, "jobs.sqlite"), process.env.PLIMSOLL_TEST_POSTGRES].filter(
  (each) => each !== undefined,
);

try {
  console.log(`load ${loadavg()[0]?.toFixed(1)}; delays are from before the transaction that enqueues`);
  for (const location of locations) {
    await using first = await openStore<unknown>(location, { migrations: [] });
    await using second = await openStore<unknown>(location, { migrations: [] });
    for (const waiting of [0, others]) {
      if (waiting > 0) await fill(first, waiting);
      const figures = [await enqueueMany(first), await runMany([first, second]), await delays([first, second])];
      console.log(`${first.kind}, ${waiting} others: ${figures.join(", ")}`);
    }
  }
} finally {
  rmSync(scratch, { recursive: true });
}

/** Jobs of a kind that neither node runs. */
async function fill({ db, kind }: Store<unknown>, count: number): Promise<void> {
  const numbers =
    kind === "postgres"
      ? sql`select n from generate_series(1, ${sql.lit(count)}) as numbers(n)`
      : sql`with recursive numbers(n) as (select 1 union all select n + 1 from numbers where n < ${sql.lit(count)})
        select n from numbers`;
  await sql`insert into jobs (id, kind, payload, is_dead, due_at, turn, attempts, max_attempts, created_at)
    select 'other-' || n, 'bench.other', 'null', 0, n, n, 0, 12, 0 from (${numbers}) as every_number`.execute(db);
  await sql`analyze`.execute(db);
}

/** Each in a transaction of its own, by several at once. */
async function enqueueMany({ db }: Store<unknown>): Promise<string> {
  const beganAt = performance.now();
  const write = async () => {
    for (let number = 0; number < jobs / writers; number++) await enqueueJob(db, measured.of({ enqueuedAt: 0 }), clock);
  };
  await Promise.all(Array.from({ length: writers }, write));
  return `${perSecond(jobs, beganAt)} enqueued/s`;
}

async function runMany(nodes: readonly Store<unknown>[]): Promise<string> {
  let ran = 0;
  const ended = Promise.withResolvers<void>();
  const beganAt = performance.now();
  const workers = nodes.map((store) =>
    startWorker(store, () => {
      if (++ran === jobs) ended.resolve();
    }),
  );
  await ended.promise;
  const figure = `${perSecond(jobs, beganAt)} run/s`;
  await Promise.all(workers.map((worker) => worker.stop()));
  return figure;
}

/** One job after another, enqueued by the first node. */
async function delays(nodes: readonly Store<unknown>[]): Promise<string> {
  const [store] = nodes as [Store<unknown>];
  const seen: number[] = [];
  let began = Promise.withResolvers<void>();
  const workers = nodes.map((node) =>
    startWorker(node, (delayMs) => {
      seen.push(delayMs);
      began.resolve();
    }),
  );
  for (let probe = 0; probe < probes; probe++) {
    await delay(20);
    began = Promise.withResolvers<void>();
    await store.transaction((transaction) =>
      enqueueJob(transaction, measured.of({ enqueuedAt: performance.now() }), clock),
    );
    await began.promise;
  }
  await Promise.all(workers.map((worker) => worker.stop()));
  seen.sort((a, b) => a - b);
  const at = (part: number) => seen[Math.floor(seen.length * part)]?.toFixed(1);
  return `enqueue to start p50 ${at(0.5)} ms, p99 ${at(0.99)} ms`;
}

function startWorker(store: Store<unknown>, act: Act) {
  return startJobWorker({ store, jobs: [measured.withContext(act)], concurrency: 5, ...systemTime });
}

function perSecond(count: number, beganAt: number): number {
  return Math.round(count / ((performance.now() - beganAt) / 1000));
}
