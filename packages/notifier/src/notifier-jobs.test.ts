import { countJobs, listJobs, runDueJobs } from "@plimsoll/store";
import { fakeTime } from "@plimsoll/testing";
import { describe, expect, it } from "vitest";
import { fakeSources, vulnerabilityOf } from "./fixtures/fake-sources.ts";
import { openNotifierStore } from "./fixtures/notifier-store.ts";
import { createNotifier, type NotifierOptions } from "./notifier-jobs.ts";
import type { Transport } from "./transports/transport.ts";

const hourMs = 3_600_000;
const operations = [
  { ref: "op1", says: [] },
  { ref: "op2", says: [vulnerabilityOf("A", "expat")] },
];
const manifests = { "sha256:1": ["expat"] };

async function start(more: Partial<NotifierOptions> = {}) {
  const store = await openNotifierStore(":memory:");
  const time = fakeTime();
  const told: string[] = [];
  const transport: Transport = {
    name: "fake",
    isDirect: false,
    async deliver({ callback }) {
      told.push(callback);
      return { kind: "delivered" };
    },
  };
  let known = 1;
  const sources = () => fakeSources({ feed: operations.slice(0, known) }, manifests);
  const notifier = createNotifier({
    store,
    clock: time.clock,
    transport,
    callback: "https://scanner.example/",
    updates: {
      updateOperations: (query) => sources().updates.updateOperations(query),
      updateDiff: (refs) => sources().updates.updateDiff(refs),
    },
    affected: sources().affected,
    ...more,
  });
  await notifier.schedule();
  return {
    store,
    time,
    told,
    notifier,
    run: () => runDueJobs({ store, jobs: notifier.jobs, ...time }),
    update: () => {
      known = 2;
    },
    [Symbol.asyncDispose]: () => store.close(),
  };
}

describe("createNotifier", () => {
  it("polls, delivers what changed and removes it at the end", async () => {
    await using world = await start();
    const { store, time, told, run, update } = world;

    await run();
    update();
    await run();
    const beforePoll = [...told];
    time.advance(7 * hourMs);
    await run();
    time.advance(7 * hourMs);
    await run();
    const sets = await store.db.selectFrom("notification_set").select("id").execute();
    time.advance(15 * 24 * hourMs);
    await run();

    expect(beforePoll).toEqual([]);
    expect(told).toEqual(sets.map(({ id }) => `https://scanner.example/${id}`));
    expect(told).toHaveLength(1);
    expect(await store.db.selectFrom("notification_set").select("id").execute()).toEqual([]);
    expect((await listJobs(store.db, { kind: "notifier.poll" }))[0]?.lastError).toBeUndefined();
  });

  it("has each recurring job once, however often the notifier starts", async () => {
    await using world = await start();

    await world.notifier.schedule();

    expect(await countJobs(world.store.db)).toEqual([
      { kind: "notifier.expire", state: "waiting", jobs: 1 },
      { kind: "notifier.poll", state: "waiting", jobs: 1 },
    ]);
  });

  it("polls again soon after a failed poll, and records why it failed", async () => {
    const down = () => Promise.reject(new Error("connection refused"));
    await using world = await start({
      updates: { ...fakeSources({ feed: operations }, manifests).updates, updateDiff: down },
      firstSight: "notify",
    });

    await world.run();

    const [job] = await listJobs(world.store.db, { kind: "notifier.poll" });
    expect(job?.lastError).toBe("could not find what changed: feed: connection refused");
    expect(job?.dueAt).toBeLessThan(world.time.clock.now() + 60_000);
  });
});
