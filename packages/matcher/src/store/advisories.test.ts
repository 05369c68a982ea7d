import type { Advisory, AdvisorySource } from "@plimsoll/core";
import {
  advisorySourceContract,
  engineTitle,
  fakeUpdater,
  openTestStore,
  testAdvisory,
  testEngines,
} from "@plimsoll/testing";
import { describe, expect, it } from "vitest";
import { noFeeds } from "../fixtures/test-stores.ts";
import { updateFeeds } from "../update-feeds.ts";
import { advisoriesOf } from "./advisories.ts";
import { matcherMigrations } from "./migrations/all.ts";
import type { MatcherStore, MatcherTables } from "./tables.ts";

async function load(
  store: MatcherStore,
  { now, updater, items }: { readonly now: number; readonly updater: string; readonly items: readonly Advisory[] },
): Promise<void> {
  const [result] = await updateFeeds(
    { updaters: [fakeUpdater(updater, { kind: "snapshot", fingerprint: `${now}`, items })], enrichers: [] },
    {
      store,
      feeds: noFeeds,
      clock: { now: () => now },
    },
  );
  if (result?.kind === "failed") throw result.error;
}

const open = (location: string) => openTestStore<MatcherTables>(location, { migrations: [matcherMigrations] });

describe.each(testEngines.map((engine) => ({ engine, title: engineTitle(engine) })))(
  "advisoriesOf on $title",
  ({ engine }) => {
    it.skipIf(engine.skip !== undefined).each(advisorySourceContract)("$name", async ({ run }) => {
      await using database = await engine.create();
      await using store = await open(database.location);

      await run(async (advisories): Promise<AdvisorySource> => {
        await load(store, { now: 1_000, updater: "test", items: advisories });
        return advisoriesOf(store);
      });
    });

    it.skipIf(engine.skip !== undefined)("shows what was known at a time", async () => {
      await using database = await engine.create();
      await using store = await open(database.location);
      const key = { ecosystem: "debian:12", name: "zlib" };
      const old = testAdvisory({ id: "a", description: "first" });
      const changed = testAdvisory({ id: "a", description: "second", ranges: [{ fixed: "2" }] });
      await load(store, { now: 1_000, updater: "test", items: [old] });
      await load(store, {
        now: 2_000,
        updater: "test",
        items: [changed, testAdvisory({ id: "b", ecosystem: "debian:13" })],
      });
      await load(store, { now: 3_000, updater: "other", items: [testAdvisory({ id: "c", updater: "other" })] });

      const at = async (asOf: number) => {
        const source = advisoriesOf(store, { asOf });
        const rules = await source.lookup([key]);
        const details = await source.details(["a", "b", "c"]);
        const coverage = await source.coverage(["debian:12", "debian:13"]);
        return {
          fixed: rules.map(({ id, ranges }) => [id, ranges[0]?.fixed]),
          details: details.map(({ id, description }) => [id, description]),
          checkedAt: coverage.map(({ checkedAt }) => checkedAt),
        };
      };

      await expect(at(999)).rejects.toMatchObject({
        code: "before_history",
        message: expect.stringContaining("the advisories of debian:12 are known since 1970-01-01T00:00:01.000Z"),
      });
      expect(await at(1_999)).toEqual({
        fixed: [["a", "1.3-1"]],
        details: [["a", "first"]],
        checkedAt: [1_000, undefined],
      });
      expect(await at(2_000)).toEqual({
        fixed: [["a", "2"]],
        details: [
          ["a", "second"],
          ["b", undefined],
        ],
        checkedAt: [2_000, 2_000],
      });
      expect(await at(9_999)).toMatchObject({
        fixed: [
          ["a", "2"],
          ["c", "1.3-1"],
        ],
        checkedAt: [2_000, 2_000],
      });
    });

    it.skipIf(engine.skip !== undefined)("gives the age of the feed that was checked longest ago", async () => {
      await using database = await engine.create();
      await using store = await open(database.location);
      await load(store, { now: 1_000, updater: "test", items: [testAdvisory({ id: "a" })] });
      await load(store, { now: 5_000, updater: "other", items: [testAdvisory({ id: "b" })] });

      expect(await advisoriesOf(store).coverage(["debian:12"])).toEqual([
        { ecosystem: "debian:12", covered: true, checkedAt: 1_000 },
      ]);
    });
  },
);
