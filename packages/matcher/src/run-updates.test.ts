import type { Updater } from "@plimsoll/core";
import type { OpenStoreOptions } from "@plimsoll/store";
import { engineTitle, fakeUpdater, openTestStore, testAdvisory, testEngines } from "@plimsoll/testing";
import { describe, expect, it } from "vitest";
import { type RoundResult, runUpdates, type UpdateRoundOptions, updateRound } from "./run-updates.ts";
import { matcherMigrations } from "./store/migrations/all.ts";
import type { MatcherTables } from "./store/tables.ts";
import { listOperations } from "./store/update-operations.ts";

const options: OpenStoreOptions = { migrations: [matcherMigrations] };
const noFeeds = () => ({ open: () => Promise.reject(new Error("none")), [Symbol.asyncDispose]: async () => {} });
const sleep = (_: number, signal?: AbortSignal) =>
  new Promise<void>((resolve) => signal?.addEventListener("abort", () => resolve()));

/** An updater that brings something new each time. */
function changingUpdater(name: string, times: number) {
  const answers = Array.from({ length: times }, (_, index) => ({
    kind: "snapshot" as const,
    fingerprint: `${index}`,
    items: [testAdvisory({ id: `${name}/${index}`, updater: name })],
  }));
  return fakeUpdater(name, ...answers);
}

function kindsOf(result: RoundResult): unknown {
  return result.kind === "busy" ? "busy" : result.updates.map(({ updater, kind }) => `${updater} ${kind}`);
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
            sleep,
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

    if (engine.shared) {
      it.skipIf(skipped)("is done by one node at a time", async () => {
        await using at = await start(changingUpdater("a", 9));
        await using store = await openTestStore<MatcherTables>(at.database.location, options);
        await using lock = await store.tryLock("matcher.updates", { clock: { now: () => 0 }, leaseSeconds: 300 });
        expect(lock).toBeDefined();

        expect(kindsOf(await at.round())).toBe("busy");
        await lock?.release();
        expect(kindsOf(await at.round())).toEqual(["a updated"]);
      });
    }

    it.skipIf(skipped)("forgets all operations beyond those that are kept, whatever their number", async () => {
      await using at = await start(changingUpdater("a", 120));
      for (; at.time.now < 119 * 100_000; at.time.now += 100_000) await at.round();
      expect(await listOperations(at.store)).toHaveLength(119);

      const result = await at.round({ keepOperations: 2 });

      expect(result).toMatchObject({ kind: "done", garbage: { operations: 118, remaining: 0 } });
      expect(await listOperations(at.store)).toHaveLength(2);
      expect(await at.round({ keepOperations: 2 })).toMatchObject({
        garbage: { operations: 0, rows: 0, remaining: 0 },
      });
    });
  },
);

describe("runUpdates", () => {
  it("runs a round at once and after each period, spread over its last tenth, until it is stopped", async () => {
    await using store = await openTestStore<MatcherTables>(":memory:", options);
    const stopping = new AbortController();
    const delays: number[] = [];
    const rounds: unknown[] = [];
    let now = 0;
    const pause = async (delayMs: number, signal?: AbortSignal) => {
      if (delayMs !== 90_000 && delayMs !== 95_000) return sleep(delayMs, signal);
      delays.push(delayMs);
      now += delayMs;
      if (delays.length === 3) stopping.abort();
    };

    await runUpdates(
      { updaters: [changingUpdater("a", 3)], enrichers: [] },
      {
        store,

        feeds: noFeeds,
        clock: { now: () => now },
        sleep: pause,
        periodSeconds: 100,
        random: () => (delays.length === 0 ? 0 : 0.5),
        onRound: (result) => rounds.push(kindsOf(result)),
        signal: stopping.signal,
      },
    );

    expect(rounds).toEqual([["a updated"], ["a updated"], ["a updated"]]);
    expect(delays).toEqual([90_000, 95_000, 95_000]);
  });

  it("goes on after a round that failed as a whole", async () => {
    await using store = await openTestStore<MatcherTables>(":memory:", options);
    const stopping = new AbortController();
    const troubles: unknown[] = [];
    const broken = { ...store, tryLock: () => Promise.reject(new Error("gone")) };

    await runUpdates(
      { updaters: [], enrichers: [] },
      {
        store: broken,

        feeds: noFeeds,
        clock: { now: () => 0 },
        sleep: async () => {
          if (troubles.length === 2) stopping.abort();
        },
        periodSeconds: 100,
        random: () => 0,
        onTrouble: (error) => troubles.push(error),
        signal: stopping.signal,
      },
    );

    expect(troubles).toEqual([new Error("gone"), new Error("gone")]);
  });
});
