import { engineTitle, fakeUpdater, fullTestRuns, openTestStore, testAdvisory, testEngines } from "@plimsoll/testing";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { noFeeds } from "../fixtures/test-stores.ts";
import { updateFeeds } from "../update-feeds.ts";
import { collectGarbage } from "./collect-garbage.ts";
import { matcherMigrations } from "./migrations/all.ts";
import type { MatcherStore, MatcherTables } from "./tables.ts";

/** What two feeds say one after another: which advisory is fixed in which version. */
const said = fc.dictionary(fc.constantFrom("a", "b", "c"), fc.integer({ min: 1, max: 3 }), { minKeys: 1 });
const history = fc.record({
  updates: fc.array(fc.tuple(fc.constantFrom("one", "two"), said), { minLength: 1, maxLength: 8 }),
  keep: fc.integer({ min: 1, max: 3 }),
  maxOperations: fc.integer({ min: 1, max: 2 }),
});

async function replay(store: MatcherStore, updates: readonly (readonly [string, Readonly<Record<string, number>>])[]) {
  for (const [now, [name, fixes]] of updates.entries()) {
    const items = Object.entries(fixes).map(([packageName, fixed]) =>
      testAdvisory({
        id: `${name}/${packageName}`,
        updater: name,
        packageName,
        ranges: [{ fixed: `${fixed}` }],
        description: `${fixed}`,
      }),
    );
    await updateFeeds(
      { updaters: [fakeUpdater(name, { kind: "snapshot", fingerprint: `${now}`, items })], enrichers: [] },
      {
        store,
        feeds: noFeeds,
        clock: { now: () => now },
      },
    );
  }
}

/** Everything that takes room: operations by updater, rows that no kept operation shows, texts that no row names. */
async function contentsOf({ db }: MatcherStore) {
  const operations = await db.selectFrom("update_operation").select(["updater", "seq"]).orderBy("seq").execute();
  const advisories = await db.selectFrom("advisory").select(["updater", "valid_to", "text_id"]).execute();
  const texts = await db.selectFrom("shared_text").select("id").execute();
  const byUpdater = Map.groupBy(operations, ({ updater }) => updater);
  const named = new Set(advisories.map(({ text_id }) => text_id));
  return {
    mostOperations: Math.max(...[...byUpdater.values()].map((list) => list.length)),
    hidden: advisories.filter(
      ({ updater, valid_to }) => valid_to !== null && valid_to <= (byUpdater.get(updater)?.[0]?.seq ?? 0),
    ),
    unnamed: texts.filter(({ id }) => !named.has(id)),
  };
}

describe.each(testEngines.map((engine) => ({ engine, title: engineTitle(engine) })))(
  "collectGarbage on $title",
  ({ engine }) => {
    it.skipIf(engine.skip !== undefined)(
      "ends after as many runs as it says are left, and leaves nothing that no kept operation shows",
      async () => {
        await fc.assert(
          fc.asyncProperty(history, async ({ updates, keep, maxOperations }) => {
            await using database = await engine.create();
            await using store = await openTestStore<MatcherTables>(database.location, {
              migrations: [matcherMigrations],
            });
            await replay(store, updates);

            for (let left = Number.POSITIVE_INFINITY; left > 0; ) {
              const { operations, remaining } = await collectGarbage(store, { keep, maxOperations });
              expect(remaining === 0 || operations > 0).toBe(true);
              expect(remaining).toBeLessThan(left);
              left = remaining;
            }

            const { mostOperations, ...waste } = await contentsOf(store);
            expect(mostOperations).toBeLessThanOrEqual(keep);
            expect(waste).toEqual({ hidden: [], unnamed: [] });
            expect(await collectGarbage(store, { keep })).toEqual({ operations: 0, rows: 0, remaining: 0 });
          }),
          { seed: 1, numRuns: engine.name === "SQLite memory" ? fullTestRuns(60) : 8 },
        );
      },
      120_000,
    );
  },
);
