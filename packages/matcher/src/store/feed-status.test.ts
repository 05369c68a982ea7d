import type { Advisory } from "@plimsoll/core";
import type { FeedItem } from "@plimsoll/core/plugins";
import { engineTitle, fakeUpdater, openTestStore, testAdvisory, testEngines } from "@plimsoll/testing";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { createMatchService } from "../match-service.ts";
import { exportDatabase } from "../snapshot/export-database.ts";
import { importDatabase } from "../snapshot/import-database.ts";
import { updateFeeds } from "../update-feeds.ts";
import { deleteOperation } from "./delete-operation.ts";
import { isEmptyOfUse } from "./feed-account.ts";
import { listFeeds } from "./feed-status.ts";
import { matcherMigrations } from "./migrations/all.ts";
import type { MatcherStore, MatcherTables } from "./tables.ts";

const good = testAdvisory({ id: "a" });
type Odd = Exclude<FeedItem<Advisory>, { readonly kind: "item" }>;
const odd = { kind: "problem", at: "secdb.json: packages[3].pkg.secfixes", message: "expected an array" } as const;
const skipped = { kind: "record", outcome: "skipped", rule: "other-ecosystem", at: "b.json" } as const;
const records: readonly Odd[] = [
  { kind: "record", outcome: "read" },
  { kind: "record", outcome: "read", count: 3 },
  { kind: "record", outcome: "withdrawn" },
  { kind: "record", outcome: "failed" },
  { ...skipped, rule: "not-an-advisory", at: "a.md" },
  skipped,
  { ...skipped, at: "c.json" },
];
const snapshot = (fingerprint: string, ...items: readonly (Advisory | Odd)[]) =>
  ({ kind: "snapshot", fingerprint, items }) as const;

describe.each(testEngines.map((engine) => ({ engine, title: engineTitle(engine) })))(
  "listFeeds on $title",
  ({ engine }) => {
    const test = it.skipIf(engine.skip !== undefined);
    let stack: AsyncDisposableStack;
    let location = "";
    beforeEach(async () => {
      stack = new AsyncDisposableStack();
      location = stack.use(await engine.create()).location;
    });
    afterEach(() => stack.disposeAsync());

    const open = async (migrations = matcherMigrations): Promise<MatcherStore> =>
      stack.use(await openTestStore<MatcherTables>(location, { migrations: [migrations] }));
    const update = (store: MatcherStore, updater: ReturnType<typeof fakeUpdater<Advisory>>, now = 1_000) =>
      updateFeeds(
        { updaters: [updater], enrichers: [] },
        {
          store,

          feeds: () => ({ open: () => Promise.reject(new Error("no feed")), [Symbol.asyncDispose]: async () => {} }),
          clock: { now: () => now },
        },
      );
    const state = {
      name: "alpine",
      kind: "vulnerability",
      fingerprint: expect.any(String),
      changedAt: 1_000,
      checkedAt: 1_000,
      rows: 1,
    };
    const place = { at: odd.at, message: odd.message };

    test("says what became of the records of each feed, also after an export and import", async () => {
      const store = await open();
      await update(store, fakeUpdater<Advisory>("alpine", snapshot("1", good, ...records)));
      const account = {
        records: 9,
        read: 4,
        withdrawn: 1,
        failed: 1,
        skipped: [
          { rule: "other-ecosystem", count: 2, example: "b.json" },
          { rule: "not-an-advisory", count: 1, example: "a.md" },
        ],
      };

      expect(await listFeeds(store)).toMatchObject([{ rows: 1, account }]);
      await using other = await engine.create();
      const copy = stack.use(await openTestStore<MatcherTables>(other.location, { migrations: [matcherMigrations] }));
      const bytes = exportDatabase(store);
      await importDatabase({ store: copy, source: bytes, clock: { now: () => 1_000 } });
      expect(await listFeeds(copy)).toMatchObject([{ account }]);
    });

    test("says of an updater that does not account for its records nothing", async () => {
      const store = await open();
      await update(store, fakeUpdater<Advisory>("alpine", snapshot("1", good)));

      const [feed] = await listFeeds(store);

      expect(feed).toMatchObject({ rows: 1 });
      expect(feed).toMatchObject({ account: undefined });
      expect(feed && isEmptyOfUse(feed)).toBe(false);
    });

    test("knows a feed of whose records none could be used", async () => {
      const store = await open();
      await update(store, fakeUpdater<Advisory>("alpine", snapshot("1", skipped)));

      expect((await listFeeds(store)).map(isEmptyOfUse)).toEqual([true]);
    });

    test("says of each feed its age, its rows and which records were dropped", async () => {
      const store = await open();
      const updater = fakeUpdater<Advisory>("alpine", snapshot("1", good, odd), { kind: "unchanged" });
      await update(store, updater);
      await update(store, updater, 5_000);

      const reports = { find: async () => undefined, relatedKeys: async () => [] };
      const states = await createMatchService({ store, engine: { matchers: [], enrichers: [] }, reports }).feedStates();

      expect(states).toEqual([{ ...state, checkedAt: 5_000, dropped: { count: 1, first: [place] } }]);
      expect(await listFeeds(store, { kind: "enrichment" })).toEqual([]);
    });

    test("speaks of the latest state only, and of the one before when the latest is deleted", async () => {
      const store = await open();
      const updater = fakeUpdater<Advisory>("alpine", snapshot("1", good, odd), snapshot("2", good));
      await update(store, updater);
      const [second] = await update(store, updater);

      expect(await listFeeds(store)).toEqual([{ ...state, dropped: { count: 0, first: [] } }]);
      await deleteOperation(store, second?.kind === "updated" ? second.operation.ref : "");
      expect(await listFeeds(store)).toMatchObject([{ dropped: { count: 1 } }]);
    });

    test("keeps what outside documents are quoted with short, and NUL characters", async () => {
      const store = await open();
      await update(
        store,
        fakeUpdater<Advisory>("alpine", snapshot("1", good, { ...odd, message: `\0${"x".repeat(9_999)}` })),
      );

      const [feed] = await listFeeds(store);

      expect(feed?.dropped.first[0]?.message).toHaveLength(500);
      expect(feed?.dropped.first[0]?.message.startsWith("\0x")).toBe(true);
    });

    test("goes along when advisories are carried to another database", async () => {
      const store = await open();
      await update(store, fakeUpdater<Advisory>("alpine", snapshot("1", good, odd)));
      await using other = await openTestStore<MatcherTables>(":memory:", { migrations: [matcherMigrations] });

      await importDatabase({ store: other, source: exportDatabase(store), clock: { now: () => 2_000 } });

      expect(await listFeeds(other)).toEqual(await listFeeds(store));
    });
  },
);
