import { engineTitle, fakeTime, storeTestEngines, type TestEngine } from "@plimsoll/testing";
import { type Kysely, sql } from "kysely";
import { describe, expect, it } from "vitest";
import { openStore } from "../open.ts";
import type { StoreKind } from "../store.ts";
import { job } from "./declare-job.ts";
import { enqueueJob } from "./enqueue-job.ts";
import { runDueJobs } from "./job-worker.ts";
import { countJobs, listJobs } from "./list-jobs.ts";

const handle = async () => {};
const asked = job({ kind: "test.asked", handle });
const fair = job({ kind: "test.fair", tenant: () => "ann", handle });

/** The number of waiting jobs of another kind, and of dead ones. */
const others = 20_000;

async function fill(db: Kysely<unknown>, kind: StoreKind): Promise<void> {
  const numbers =
    kind === "postgres"
      ? sql`select n from generate_series(1, ${sql.lit(others)}) as all_numbers(n)`
      : sql`with recursive numbers(n) as (select 1 union all select n + 1 from numbers where n < ${sql.lit(others)})
        select n from numbers`;
  for (const isDead of [0, 1])
    await sql`insert into jobs (id, kind, payload, is_dead, due_at, turn, attempts, max_attempts, created_at)
      select ${sql.lit(`${isDead}-`)} || n, 'test.other', 'null', ${sql.lit(isDead)}, n, n, 0, 12, 0
      from (${numbers}) as every_number`.execute(db);
  await sql`analyze`.execute(db);
}

/** The plan of a look for work, with values in place of its parameters. */
async function planOf(db: Kysely<unknown>, kind: StoreKind, text: string): Promise<string> {
  const question = text
    .replace(/kind in \([^)]*\)/g, "kind in ('test.asked', 'test.fair')")
    .replace(/kind = (?:\?|\$\d+)/g, "kind = 'test.asked'")
    .replace(/turn >= (?:\?|\$\d+)/g, "turn >= 100000000000")
    .replace(/\?|\$\d+/g, "1700000000000");
  const { rows } = await sql
    .raw<Record<string, string>>(`${kind === "postgres" ? "explain" : "explain query plan"} ${question}`)
    .execute(db);
  return rows.map((row) => row.detail ?? row["QUERY PLAN"]).join("\n");
}

async function looks(engine: TestEngine): Promise<string> {
  await using database = await engine.create();
  const statements: string[] = [];
  const options = { migrations: [], onStatement: (text: string) => void statements.push(text.replaceAll('"', "")) };
  await using store = await openStore<unknown>(database.location, options);
  await fill(store.db, store.kind);
  const time = fakeTime();
  const jobs = [asked.withContext({}), fair.withContext({})];
  await enqueueJob(store.db, fair.of(null), time.clock);
  statements.length = 0;

  await runDueJobs({ store, jobs, ...time });

  const looking = [...new Set(statements.filter((text) => /^(?:select|update)\b.*\bturn </is.test(text)))];
  expect(looking.length).toBeGreaterThan(1);
  return (await Promise.all(looking.map((text) => planOf(store.db, store.kind, text)))).join("\n");
}

/** The plans of a list of jobs and of the count. */
async function listPlans(engine: TestEngine): Promise<readonly string[]> {
  await using database = await engine.create();
  const statements: string[] = [];
  const options = { migrations: [], onStatement: (text: string) => void statements.push(text.replaceAll('"', "")) };
  await using store = await openStore<unknown>(database.location, options);
  await fill(store.db, store.kind);
  statements.length = 0;
  for (const asked of [
    {},
    { kind: "test.asked" },
    { state: "dead" },
    { state: "running" },
    { state: "waiting" },
  ] as const)
    await listJobs(store.db, { ...asked, after: ["", ""] });
  await countJobs(store.db);
  const asked = statements.map((text) =>
    text
      .replace(/kind, id\) > \([^)]*\)/g, "kind, id) > ('', '')")
      .replace(/kind = (?:\?|\$\d+)/g, "kind = 'test.asked'")
      .replace(/limit (?:\?|\$\d+)/g, "limit 100"),
  );
  const plans = await Promise.all(asked.map((text) => planOf(store.db, store.kind, text)));
  // PostgreSQL scans the table when it counts half of it, as here.
  return store.kind === "postgres" ? plans.slice(0, 5) : plans;
}

describe.each(storeTestEngines.map((engine) => ({ engine, title: engineTitle(engine) })))(
  "claimJob on $title",
  ({ engine }) => {
    it.skipIf(engine.skip !== undefined)("uses indexes, however many jobs of other kinds there are", async () => {
      const plan = await looks(engine);

      expect(plan).toMatch(/jobs_waiting/);
      expect(plan).not.toMatch(/SCAN jobs\b|Seq Scan on jobs/);
    });

    it.skipIf(engine.skip !== undefined)(
      "lists and counts with indexes, however many jobs of other kinds there are",
      async () => {
        const plans = await listPlans(engine);

        expect(plans.length).toBeGreaterThanOrEqual(5);
        // Those that run are few: they are put in order after they were found.
        for (const plan of plans.map((text) =>
          text.replace("MATERIALIZE running\nSCAN jobs USING INDEX jobs_held\nSCAN jobs", "jobs_held"),
        )) {
          expect(plan).toMatch(/jobs_\w+/);
          expect(plan).not.toMatch(/SCAN jobs$|Seq Scan on jobs/m);
        }
      },
    );
  },
);
