/**
 * The job queue with two nodes on one database: the number of jobs enqueued and run per second, and the time from the start of the
 * transaction that enqueues a job to the start of the job on idle nodes, with 0 and with 1,000,000 jobs of another kind waiting. Medians
 * of five rounds, which alternate between the two databases on SQLite, because the speed of the disk varies more than anything that is
 * measured here. Processor time does not depend on the disk.
 *
 *     node --conditions=plimsoll-source benchmarks/jobs.ts
 *
 * `PLIMSOLL_TEST_POSTGRES` names an empty PostgreSQL database to measure in addition to SQLite. The argument is the number of other jobs.
 */
import { closeSync, fsyncSync, mkdtempSync, openSync, rmSync } from "node:fs";
import { loadavg, tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { enqueueJob, job, openStore, type Store, startJobWorker, systemTime } from "@plimsoll/store";
import { sql } from "kysely";
import { Type } from "typebox";

const others = Number(process.argv[2] ?? 1_000_000);
const jobs = 2_000;
const probes = 100;
const rounds = 5;
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
const postgres = process.env.PLIMSOLL_TEST_POSTGRES;

/** A database, and the number of other jobs that wait in it. */
interface Place {
  readonly location: string;
  readonly waiting: number;
}

/** Groups of places whose rounds alternate. */
const groups: readonly (readonly Place[])[] = [
  [0, others].map((waiting) => ({ location: join(scratch, `${waiting}.sqlite`), waiting })),
  ...(postgres === undefined ? [] : [0, others].map((waiting) => [{ location: postgres, waiting }])),
];

try {
  console.log(`load ${loadavg()[0]?.toFixed(1)}; delays start before the transaction that enqueues`);
  for (const places of groups) {
    for (const place of places) await prepare(place);
    const measuredAt = new Map<Place, Figures[]>(places.map((place) => [place, []]));
    for (let round = 0; round < rounds; round++)
      for (const [place, figures] of measuredAt) figures.push(await measure(place));
    for (const [place, figures] of measuredAt) console.log(summaryOf(place, figures));
  }
} finally {
  rmSync(scratch, { recursive: true });
}

/** Fills a database and syncs it to disk, which would otherwise be busy with that while jobs run. */
async function prepare({ location, waiting }: Place): Promise<void> {
  await using store = await openStore<unknown>(location, { migrations: [] });
  if (waiting > 0) await fill(store, waiting);
  if (store.kind === "postgres") return;
  await sql`pragma wal_checkpoint(truncate)`.execute(store.db);
  const file = openSync(location, "r+");
  fsyncSync(file);
  closeSync(file);
}

/** The figures of a round by name. */
type Figures = Readonly<Record<string, number>>;

async function measure({ location }: Place): Promise<Figures> {
  await using first = await openStore<unknown>(location, { migrations: [] });
  await using second = await openStore<unknown>(location, { migrations: [] });
  return { ...(await enqueueMany(first)), ...(await runMany([first, second])), ...(await delays([first, second])) };
}

function summaryOf({ location, waiting }: Place, figures: readonly Figures[]): string {
  const names = Object.keys(figures[0] ?? {});
  const medians = names.map((name) => {
    const values = figures.map((each) => each[name] ?? 0).sort((a, b) => a - b);
    return `${name} ${Number(values[values.length >> 1]?.toFixed(1))}`;
  });
  return `${location === postgres ? "postgres" : "sqlite"}, ${waiting} others: ${medians.join(", ")}`;
}

/** Adds jobs of a kind that neither node runs. */
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

/** Enqueues each job in a separate transaction, with several writers. */
async function enqueueMany({ db }: Store<unknown>): Promise<Figures> {
  const beganAt = performance.now();
  const write = async () => {
    for (let number = 0; number < jobs / writers; number++) await enqueueJob(db, measured.of({ enqueuedAt: 0 }), clock);
  };
  await Promise.all(Array.from({ length: writers }, write));
  return { "enqueued/s": perSecond(jobs, beganAt) };
}

async function runMany(nodes: readonly Store<unknown>[]): Promise<Figures> {
  let ran = 0;
  const usedBefore = process.cpuUsage();
  const ended = Promise.withResolvers<void>();
  const beganAt = performance.now();
  const workers = nodes.map((store) =>
    startWorker(store, () => {
      if (++ran === jobs) ended.resolve();
    }),
  );
  await ended.promise;
  const { user, system } = process.cpuUsage(usedBefore);
  const figures = { "run/s": perSecond(jobs, beganAt), "processor time of a run in µs": (user + system) / jobs };
  await Promise.all(workers.map((worker) => worker.stop()));
  return figures;
}

/** Enqueues one job after another with the first node and measures how long each waits. */
async function delays(nodes: readonly Store<unknown>[]): Promise<Figures> {
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
  const at = (part: number) => seen[Math.floor(seen.length * part)] ?? 0;
  return { "enqueue to start in ms p50": at(0.5), p99: at(0.99) };
}

function startWorker(store: Store<unknown>, act: Act) {
  return startJobWorker({ store, jobs: [measured.withContext(act)], concurrency: 5, ...systemTime });
}

function perSecond(count: number, beganAt: number): number {
  return Math.round(count / ((performance.now() - beganAt) / 1000));
}
