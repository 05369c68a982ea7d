/** Jobs that were written before kinds were declared (`0002-jobs`) are listed and run after the migration. */
import { engineTitle, fakeTime, testEngines } from "@plimsoll/testing";
import { type Kysely, sql } from "kysely";
import { Type } from "typebox";
import { describe, expect, it } from "vitest";
import { openStore } from "../open.ts";
import { job } from "./declare-job.ts";
import { enqueueJob } from "./enqueue-job.ts";
import { runDueJobs } from "./job-worker.ts";
import { countJobs, listJobs } from "./list-jobs.ts";
import { every, followSchedules } from "./schedules.ts";

/** The table and its indexes as they were; never to be changed. */
const earlierTable = [
  "drop table jobs",
  `create table jobs (id text not null primary key, kind text not null, unique_key text, payload text not null,
    is_dead integer not null, due_at bigint not null, attempts integer not null, max_attempts integer not null,
    every_ms bigint, owner text, last_error text, created_at bigint not null)`,
  "create index jobs_due on jobs (due_at, id) where is_dead = 0",
  "create unique index jobs_unique_key on jobs (unique_key) where is_dead = 0",
  "delete from store_migrations where name > '0002-jobs'",
];

const { clock, ...time } = fakeTime();
const now = clock.now();

/** A job of each state, with the columns in the order of the table. */
const earlierRows = [
  ["1", "shop.ship", "shop.ship:17", '{"order":"17"}', 0, now - 2_000, 0, 12, null, null, null, now - 9_000],
  ["2", "shop.ship", null, '{"order":"18"}', 0, now - 1_000, 2, 12, null, null, "no answer", now - 9_000],
  ["3", "shop.ship", null, '{"order":"19"}', 0, now + 60_000, 0, 12, null, null, null, now - 9_000],
  ["4", "shop.ship", null, '{"order":"20"}', 0, now - 5_000, 1, 12, null, "a worker that is gone", null, now - 9_000],
  ["5", "shop.ship", null, '{"order":"21"}', 1, now - 9_000, 12, 12, null, null, "gone", now - 9_000],
  ["6", "shop.sweep", "shop.sweep", "null", 0, now - 500, 0, 12, 60_000, null, null, now - 9_000],
];

async function writeEarlier(db: Kysely<unknown>): Promise<void> {
  for (const statement of earlierTable) await sql.raw(statement).execute(db);
  for (const row of earlierRows) await sql`insert into jobs values (${sql.join(row)})`.execute(db);
}

describe.each(testEngines.filter(({ shared }) => shared).map((engine) => ({ engine, title: engineTitle(engine) })))(
  "jobs of an earlier database on $title",
  ({ engine }) => {
    it.skipIf(engine.skip !== undefined)("are all listed, and run as before", async () => {
      await using database = await engine.create();
      const open = () => openStore<unknown>(database.location, { migrations: [] });
      await using earlier = await open();
      await writeEarlier(earlier.db);
      await earlier.close();
      const done: string[] = [];
      const ship = job({
        kind: "shop.ship",
        payload: Type.Object({ order: Type.String() }),
        key: ({ order }) => order,
        handle: async ({ payload }) => void done.push(payload.order),
      });
      const sweep = job({ kind: "shop.sweep", key: () => "", handle: async () => void done.push("swept") });

      await using store = await open();
      await followSchedules(store, [every(sweep, 60_000)], clock);
      const again = await enqueueJob(store.db, ship.of({ order: "17" }), clock);
      const before = await listJobs(store.db);
      await runDueJobs({ store, jobs: [ship.withContext({}), sweep.withContext({})], clock, ...time });

      expect(again).toBeUndefined();
      expect(before.map(({ id, state }) => `${id} ${state}`)).toEqual([
        "1 waiting",
        "2 waiting",
        "3 waiting",
        "4 running",
        "5 dead",
        "6 waiting",
      ]);
      expect(done).toEqual(["20", "17", "18", "swept"]);
      expect(await countJobs(store.db)).toEqual([
        { kind: "shop.ship", state: "dead", jobs: 1 },
        { kind: "shop.ship", state: "waiting", jobs: 1 },
        { kind: "shop.sweep", state: "waiting", jobs: 1 },
      ]);
    });
  },
);
