import { fakeUpdater, openTestStore, testAdvisory } from "@plimsoll/testing";
import { describe, expect, it } from "vitest";
import { updateFeeds } from "../update-feeds.ts";
import { collectGarbage } from "./forget-operations.ts";
import { matcherMigrations } from "./migrations/all.ts";
import type { MatcherTables } from "./tables.ts";
import { listOperations } from "./update-operations.ts";

async function storeWithUpdates(updates: number, advisories: number) {
  const store = await openTestStore<MatcherTables>(":memory:", { migrations: [matcherMigrations] });
  const answers = Array.from({ length: updates }, (_, update) => {
    const items = Array.from({ length: advisories }, (_, index) =>
      testAdvisory({ id: `${index}`, ranges: [{ fixed: `${update}` }], description: `text ${update} of ${index}` }),
    );
    return { kind: "snapshot", fingerprint: `${update}`, items } as const;
  });
  const updater = fakeUpdater("feed", ...answers);
  for (let now = 0; now < updates; now++) {
    await updateFeeds(
      { updaters: [updater], enrichers: [] },
      {
        store,

        feeds: () => ({
          open: () => Promise.reject(new Error("no feeds here")),
          [Symbol.asyncDispose]: async () => {},
        }),
        clock: { now: () => now },
      },
    );
  }
  return store;
}

describe("collectGarbage", () => {
  it("deletes more rows than one batch has", async () => {
    await using store = await storeWithUpdates(2, 6_000);

    const result = await collectGarbage(store, { keep: 1 });

    expect(result).toEqual({ operations: 1, rows: 6_000, remaining: 0 });
    expect(await store.db.selectFrom("shared_text").select("id").execute()).toHaveLength(6_000);
  });

  it("forgets a bounded number of operations, oldest first, and says how many are left", async () => {
    await using store = await storeWithUpdates(6, 1);

    const first = await collectGarbage(store, { keep: 2, maxOperations: 3 });
    const second = await collectGarbage(store, { keep: 2, maxOperations: 3 });
    const third = await collectGarbage(store, { keep: 2, maxOperations: 3 });

    expect(first).toEqual({ operations: 3, rows: 3, remaining: 1 });
    expect(second).toEqual({ operations: 1, rows: 1, remaining: 0 });
    expect(third).toEqual({ operations: 0, rows: 0, remaining: 0 });
    expect((await listOperations(store)).map(({ fingerprint }) => fingerprint)).toEqual(["5", "4"]);
  });

  it("finishes what an aborted run began", async () => {
    await using store = await storeWithUpdates(2, 3);

    await expect(collectGarbage(store, { keep: 1, signal: AbortSignal.abort() })).rejects.toMatchObject({
      code: "aborted",
    });
    expect(await collectGarbage(store, { keep: 1 })).toEqual({ operations: 0, rows: 3, remaining: 0 });
  });

  it.each([0, -1, 1.5, Number.NaN])("refuses to keep %d operations", async (keep) => {
    await using store = await storeWithUpdates(1, 1);

    await expect(collectGarbage(store, { keep })).rejects.toThrow(RangeError);
  });
});
