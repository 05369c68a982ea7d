import type { Updater } from "@plimsoll/core/plugins";
import { cancelJobById, listJobs, type OpenStoreOptions, runDueJobs, runNextJob } from "@plimsoll/store";
import { engineTitle, fakeTime, fakeUpdater, openTestStore, testAdvisory, testEngines } from "@plimsoll/testing";
import { describe, expect, it } from "vitest";
import { noFeeds } from "./fixtures/test-stores.ts";
import { matcherMigrations } from "./store/migrations/all.ts";
import type { MatcherTables } from "./store/tables.ts";
import { listOperations } from "./store/update-operations.ts";
import {
  createFeedUpdates,
  type FeedUpdates,
  type RoundResult,
  type UpdateRoundOptions,
  updateRound,
} from "./update-job.ts";

const options: OpenStoreOptions = { migrations: [matcherMigrations] };

/** An updater that brings something new each time. */
function changingUpdater(name: string, times: number) {
  const answers = Array.from({ length: times }, (_, index) => ({
    kind: "snapshot" as const,
    fingerprint: `${index}`,
    items: [testAdvisory({ id: `${name}/${index}`, updater: name })],
  }));
  return fakeUpdater(name, ...answers);
}

function kindsOf({ updates }: RoundResult): readonly string[] {
  return updates.map(({ updater, kind }) => `${updater} ${kind}`);
}

describe.each(testEngines.map((engine) => ({ engine, title: engineTitle(engine) })))(
  "updateRound on $title",
  ({ engine }) => {
    const skipped = engine.skip !== undefined;

    async function start(...updaters: Updater[]) {
      const database = await engine.create();
      const store = await openTestStore<MatcherTables>(database.location, options);
      const time = { now: 0 };
      const round = (more: Partial<UpdateRoundOptions & { readonly updaters: readonly Updater[] }> = {}) =>
        updateRound(
          { updaters: more.updaters ?? updaters, enrichers: [] },
          {
            store,
            feeds: noFeeds,
            clock: { now: () => time.now },
            periodSeconds: 100,
            ...more,
          },
        );
      return {
        database,
        store,
        time,
        round,
        [Symbol.asyncDispose]: async () => {
          await store[Symbol.asyncDispose]();
          await database[Symbol.asyncDispose]();
        },
      };
    }

    it.skipIf(skipped)("updates what is due and leaves the rest", async () => {
      await using at = await start(changingUpdater("a", 9), fakeUpdater("b", new Error("down"), new Error("down")));

      const first = await at.round();
      at.time.now = 99_999;
      const tooSoon = await at.round();
      at.time.now = 100_000;
      const due = await at.round({ updaters: [changingUpdater("a", 1)] });

      expect(kindsOf(first)).toEqual(["a updated", "b failed"]);
      expect(kindsOf(tooSoon)).toEqual(["b failed"]);
      expect(kindsOf(due)).toEqual(["a updated"]);
    });

    it.skipIf(skipped)("forgets all operations beyond those that are kept, whatever their number", async () => {
      await using at = await start(changingUpdater("a", 120));
      for (; at.time.now < 119 * 100_000; at.time.now += 100_000) await at.round();
      expect(await listOperations(at.store)).toHaveLength(119);

      const result = await at.round({ keepOperations: 2 });

      expect(result).toMatchObject({ garbage: { operations: 118, remaining: 0 } });
      expect(await listOperations(at.store)).toHaveLength(2);
      expect(await at.round({ keepOperations: 2 })).toMatchObject({
        garbage: { operations: 0, rows: 0, remaining: 0 },
      });
    });
  },
);

/** The updates of one feed, whose queue a test runs by its own clock. */
async function openUpdates(updater: Updater, seconds: { readonly period: number } = { period: 100 }) {
  const store = await openTestStore<MatcherTables>(":memory:", options);
  const time = fakeTime();
  const rounds: unknown[] = [];
  const newUpdates = (updaters: readonly Updater[], periodSeconds: number) =>
    createFeedUpdates({
      engine: { updaters, enrichers: [] },
      store,
      feeds: noFeeds,
      clock: time.clock,
      periodSeconds,
      onRound: (round) => rounds.push(kindsOf(round)),
    });
  const run = async (updates: FeedUpdates) => runDueJobs({ store, jobs: updates.jobs, ...time });
  return { store, time, rounds, newUpdates, run, updates: newUpdates([updater], seconds.period) };
}

describe("createFeedUpdates", () => {
  it("is a job that recurs after each period, and that is listed and cancelled as every other", async () => {
    const { store: owned, time, rounds, run, updates } = await openUpdates(changingUpdater("a", 9));
    await using store = owned;
    await updates.schedule();

    await run(updates);
    const [waiting] = await listJobs(store.db);
    await run(updates);
    time.advance(100_000);
    await run(updates);
    const cancelled = await cancelJobById(store.db, waiting?.id ?? "", { clock: time.clock, kinds: [] });
    time.advance(100_000);

    expect(rounds).toEqual([["a updated"], ["a updated"]]);
    expect(waiting).toMatchObject({ kind: "matcher.update-feeds", state: "waiting", everyMs: 100_000 });
    expect([cancelled, await run(updates)]).toEqual([true, 1]);
  });

  it("tries a feed that was never read again after a minute or less, and one that was read in the next round", async () => {
    const advisories = [testAdvisory({ id: "a/1", updater: "a" })];
    const snapshot = { kind: "snapshot", fingerprint: "1", items: advisories } as const;
    const updater = fakeUpdater("a", new Error("down"), new Error("down"), snapshot, new Error("down"), new Error("x"));
    const { store: owned, time, rounds, run, updates } = await openUpdates(updater, { period: 21_600 });
    await using store = owned;
    await updates.schedule();

    await run(updates);
    const [failed] = await listJobs(store.db);
    for (const seconds of [60, 120]) {
      time.advance(seconds * 1000);
      await run(updates);
    }
    const soon = [...rounds];
    time.advance(21_600_000 * 1.1);
    await run(updates);
    time.advance(3_600_000);
    await run(updates);

    expect(failed?.lastError).toContain("no update has succeeded yet: a");
    expect(soon).toEqual([["a failed"], ["a failed"], ["a updated"]]);
    expect(rounds.slice(3)).toEqual([["a failed"]]);
  });

  it("ends an update that is cancelled", async () => {
    const time = fakeTime();
    await using store = await openTestStore<MatcherTables>(":memory:", options);
    const began = Promise.withResolvers<AbortSignal>();
    const hanging = (signal: AbortSignal) => () => {
      began.resolve(signal);
      return new Promise<never>((_, reject) => signal.addEventListener("abort", () => reject(signal.reason)));
    };
    const slow: Updater = {
      ...changingUpdater("a", 1),
      async update(feeds) {
        await feeds.open("https://feeds.example/a");
        return { kind: "unchanged" };
      },
    };
    const { jobs, schedule } = createFeedUpdates({
      engine: { updaters: [slow], enrichers: [] },
      store,
      feeds: (_, signal) => ({ open: hanging(signal), [Symbol.asyncDispose]: async () => {} }),
      clock: time.clock,
      periodSeconds: 100,
    });
    await schedule();
    const running = runNextJob({ store, jobs, ...time });
    const signal = await began.promise;
    const [begun] = await listJobs(store.db);

    const isCancelled = await cancelJobById(store.db, begun?.id ?? "", { clock: time.clock, kinds: [] });
    await expect.poll(() => time.sleepers).toBe(1);
    time.advance(1_000);
    await running;

    expect([isCancelled, signal.aborted]).toEqual([true, true]);
    expect(await listJobs(store.db)).toMatchObject([{ state: "waiting", everyMs: 100_000 }]);
  });

  it("does not let feeds that are due wait for the next turn when a process starts", async () => {
    const { store: owned, rounds, run, newUpdates, updates } = await openUpdates(changingUpdater("a", 9));
    await using _ = owned;
    await updates.schedule();
    await run(updates);
    await updates.schedule();
    expect(await run(updates)).toBe(0);
    const more = newUpdates([changingUpdater("a", 9), changingUpdater("b", 9)], 100);

    await more.schedule();
    await run(more);

    expect(rounds).toEqual([["a updated"], ["b updated"]]);
  });

  it("comes back soon to a feed that another process updates", async () => {
    const { store: owned, time, rounds, run, updates } = await openUpdates(changingUpdater("a", 9), { period: 86_400 });
    await using store = owned;
    const lock = await store.tryLock("matcher.update.a", { clock: time.clock, leaseSeconds: 300 });
    await updates.schedule();

    await run(updates);
    await lock?.release();
    time.advance(60_000);
    await run(updates);

    expect(rounds).toEqual([["a busy"], ["a updated"]]);
  });
});
