/** `plimsoll jobs …` beside a service's database: what operators see of jobs and do with them. */
import {
  enqueueJob,
  type Job,
  JobRejected,
  job,
  jobStates,
  listJobs,
  openStore,
  runDueJobs,
  systemTime,
} from "@plimsoll/store";
import { engineTitle, testEngines } from "@plimsoll/testing";
import { Type } from "typebox";
import { describe, expect, it } from "vitest";
import { jobStates as knownStates } from "../packages/server/src/cli/help-texts.ts";
import { runPlimsoll } from "./support/run-plimsoll.ts";
import { tempFolder } from "./support/temp-folder.ts";

const { clock } = systemTime;
const payload = Type.Object({ order: Type.String() });
const ship = job({ kind: "shop.ship", payload, key: ({ order }) => order, handle: async () => {} });
const lose = job({
  kind: "shop.lose",
  payload,
  handle: () => Promise.reject(new JobRejected("the order\u001b[31m is lost")),
});

/** A database with a job that waits and one that is dead. */
async function fill(location: string): Promise<readonly Job[]> {
  await using store = await openStore<unknown>(location, { migrations: [] });
  await enqueueJob(store.db, lose.of({ order: "18" }), clock);
  await runDueJobs({ store, jobs: [lose.withContext({})], ...systemTime });
  await enqueueJob(store.db, ship.of({ order: "17" }), clock);
  const jobs = await listJobs(store.db);
  return jobs.toSorted((a, b) => (a.state < b.state ? 1 : -1)); // waiting, dead
}

async function statesOf(location: string): Promise<readonly string[]> {
  await using store = await openStore<unknown>(location, { migrations: [] });
  return (await listJobs(store.db)).map(({ kind, state }) => `${kind} ${state}`).sort();
}

const engines = testEngines.filter(({ shared }) => shared).map((engine) => ({ engine, title: engineTitle(engine) }));

describe.each(engines)("plimsoll jobs on $title", ({ engine }) => {
  const test = it.skipIf(engine.skip !== undefined);

  test("lists and shows jobs, as a table and as JSON", async () => {
    await using database = await engine.create();
    const [waiting, dead] = await fill(database.location);
    const run = (...words: readonly string[]) => runPlimsoll(["jobs", ...words, "--database", database.location]);

    const all = await run("list");
    const deadOnes = await run("list", "--state", "dead", "--json");
    const ofKind = await run("list", "--kind", "shop.ship", "--json");
    const shown = await run("show", `${dead?.id}`);
    const asJson = await run("show", `${waiting?.id}`, "--json");

    expect(all.code).toBe(0);
    expect(all.stdout).toMatch(/^ID +KIND +STATE +ATTEMPT +DUE +LAST ERROR\n/);
    expect(all.stdout).toContain(`${waiting?.id}  shop.ship  waiting  0/12`);
    expect(all.stdout).not.toContain("\u001b");
    expect(JSON.parse(deadOnes.stdout)).toMatchObject([{ id: dead?.id, kind: "shop.lose", attempts: 1 }]);
    expect(deadOnes.stdout).not.toContain("payload");
    expect(JSON.parse(ofKind.stdout)).toMatchObject([{ id: waiting?.id, state: "waiting" }]);
    expect(shown.stdout).toMatch(/^state: dead$/m);
    expect(shown.stdout).toMatch(/^payload: \{"order":"18"\}$/m);
    expect(JSON.parse(asJson.stdout)).toMatchObject({ uniqueKey: "shop.ship:17", payload: { order: "17" } });
  });

  test("retries and deletes what is dead, and cancels what is not", async () => {
    await using database = await engine.create();
    const [waiting, dead] = await fill(database.location);
    const run = (...words: readonly string[]) => runPlimsoll(["jobs", ...words, "--database", database.location]);

    const wrong = await run("retry", `${waiting?.id}`, `${dead?.id}`);
    const retried = await statesOf(database.location);
    const cancelled = await run("cancel", `${waiting?.id}`, `${dead?.id}`);
    const gone = await run("delete", `${dead?.id}`);

    expect(wrong).toMatchObject({ code: 3, stdout: `retried shop.lose ${dead?.id}\n` });
    expect(wrong.stderr).toBe(`${waiting?.id}: it is waiting, and only dead jobs are retried\n`);
    expect(retried).toEqual(["shop.lose waiting", "shop.ship waiting"]);
    expect(cancelled).toMatchObject({ code: 0, stderr: "" });
    expect(gone).toMatchObject({ code: 3, stderr: `${dead?.id}: there is no such job\n` });
    const telling = "server.report-cancelled-job waiting"; // a server is to log what the command has done
    expect(await statesOf(database.location)).toEqual([telling, telling]);
  });
});

describe("plimsoll jobs", () => {
  it("makes no database where there is none, and refuses wrong words", async () => {
    using folder = tempFolder();
    const data = ["--data", folder.path];

    expect(await runPlimsoll(["jobs", "list", ...data])).toMatchObject({ code: 4, stdout: "" });
    expect(await runPlimsoll(["jobs", "cancel", "1", ...data])).toMatchObject({ code: 4, stdout: "" });
    expect(await runPlimsoll(["jobs", "list", "--limit", "0", ...data])).toMatchObject({ code: 2 });
    expect(await runPlimsoll(["jobs", "list", "--state", "lost", ...data])).toMatchObject({ code: 2 });
  });

  it("knows the states of the store", () => {
    expect(knownStates).toEqual(jobStates);
  });
});
