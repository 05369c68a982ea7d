import type { Enricher } from "@plimsoll/core/plugins";
import { fakeUpdater, openTestStore, testAdvisory } from "@plimsoll/testing";
import { describe, expect, it } from "vitest";
import { noFeeds } from "../fixtures/test-stores.ts";
import { type UpdateFeedsOptions, updateFeeds } from "../update-feeds.ts";
import { collectGarbage } from "./collect-garbage.ts";
import { findEnrichments } from "./enrichments.ts";
import { matcherMigrations } from "./migrations/all.ts";
import type { MatcherStore, MatcherTables } from "./tables.ts";
import { listOperations } from "./update-operations.ts";

/** What an update at that time needs. */
function at(store: MatcherStore, now: number): UpdateFeedsOptions {
  return { store, feeds: noFeeds, clock: { now: () => now } };
}

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
    await updateFeeds({ updaters: [updater], enrichers: [] }, at(store, now));
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

  it("keeps fewer operations of facts than of advisories", async () => {
    await using store = await storeWithUpdates(4, 1);
    const scores = Array.from({ length: 4 }, (_, update) => ({
      kind: "snapshot" as const,
      fingerprint: `scores ${update}`,
      items: [{ tags: ["CVE-2024-0001"], record: { update } }],
    }));
    const updater = fakeUpdater("scores", ...scores);
    const enricher: Enricher = { name: "e", type: "e", updater, tags: () => [], enrich: () => undefined };
    for (let now = 0; now < 4; now++) await updateFeeds({ updaters: [], enrichers: [enricher] }, at(store, now));

    const result = await collectGarbage(store, { keep: 3, keepFacts: 2 });

    expect(result).toEqual({ operations: 3, rows: 3, remaining: 0 });
    const left = (await listOperations(store)).map(({ fingerprint }) => fingerprint);
    expect(left).toEqual(["3", "2", "1", "scores 3", "scores 2"]);
    expect(await findEnrichments(store, "scores", { tags: ["CVE-2024-0001"] })).toEqual([
      { tags: ["CVE-2024-0001"], record: { update: 3 } },
    ]);
  });

  it.each([0, -1, 1.5, Number.NaN])("refuses to keep %d operations", async (keep) => {
    await using store = await storeWithUpdates(1, 1);

    await expect(collectGarbage(store, { keep })).rejects.toThrow(RangeError);
  });
});
