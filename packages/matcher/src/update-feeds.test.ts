import type { Advisory } from "@plimsoll/core";
import type { Enricher, EnrichmentRecord, Updater } from "@plimsoll/core/plugins";
import { engineTitle, fakeUpdater, testAdvisory, testEngines } from "@plimsoll/testing";
import { sql } from "kysely";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { FeedPlugins } from "./choose-feeds.ts";
import { noFeeds, openEmptyStore } from "./fixtures/test-stores.ts";
import { advisoriesOf } from "./store/advisories.ts";
import { findEnrichments } from "./store/enrichments.ts";
import type { MatcherStore } from "./store/tables.ts";
import { latestOperations, listOperations } from "./store/update-operations.ts";
import { type UpdateEvent, type UpdateFeedsOptions, updateFeeds } from "./update-feeds.ts";

const key = { ecosystem: "debian:12", name: "zlib" };
const snapshot = <Item>(fingerprint: string, items: Iterable<Item> | AsyncIterable<Item>) =>
  ({ kind: "snapshot", fingerprint, items }) as const;

async function* halfOf(items: readonly Advisory[]): AsyncGenerator<Advisory> {
  yield* items.slice(0, items.length / 2);
  throw new Error("the document ends in the middle of a record");
}

function manyAdvisories(count: number, fixed = "1"): Advisory[] {
  return Array.from({ length: count }, (_, index) => {
    const id = `many/${String(index).padStart(6, "0")}`;
    return testAdvisory({ id, packageName: `package-${index % 100}`, ranges: [{ fixed }], updater: "many" });
  });
}

describe.each(testEngines.map((engine) => ({ engine, title: engineTitle(engine) })))(
  "updateFeeds on $title",
  ({ engine }) => {
    const test = it.skipIf(engine.skip !== undefined);
    let stack: AsyncDisposableStack;
    let store: MatcherStore;
    let now = 0;
    beforeEach(async () => {
      stack = new AsyncDisposableStack();
      store = await openEmptyStore(engine, stack);
      now = 1_000;
    });
    afterEach(() => stack.disposeAsync());

    const update = (
      updaters: readonly Updater[],
      more: Partial<UpdateFeedsOptions & Pick<FeedPlugins, "enrichers">> = {},
    ) =>
      updateFeeds(
        { updaters, enrichers: more.enrichers ?? [] },
        {
          store,
          feeds: noFeeds,
          clock: { now: () => now },
          ...more,
        },
      );
    const shown = async () =>
      (await advisoriesOf(store).lookup([key])).map(({ id, ranges }) => `${id} ${ranges[0]?.fixed}`);
    const stagedRows = () =>
      store.transaction(async (trx) => (await trx.selectFrom("advisory_staging").select("run").execute()).length);

    test("tells the database how much there is, for the plans of what is asked next", async () => {
      await update([fakeUpdater("many", snapshot("f1", manyAdvisories(2_000)))]);

      const { rows } = await (store.kind === "postgres"
        ? sql<{ rows: number }>`select reltuples as rows from pg_class where relname = 'advisory' and relkind = 'r'`
        : sql<{ rows: number }>`select cast(stat as integer) as rows from sqlite_stat1 where tbl = 'advisory' limit 1`
      ).execute(store.db);
      expect(Number(rows[0]?.rows)).toBeGreaterThanOrEqual(2_000);
    });

    test("records an operation and hands its fingerprint to the next run", async () => {
      const updater = fakeUpdater("debian", snapshot("f1", [testAdvisory({ id: "a" })]), { kind: "unchanged" });

      const [first] = await update([updater], { createRef: () => "00000000-0000-4000-8000-000000000001" });
      now = 2_000;
      const [second] = await update([updater]);

      expect(first).toEqual({
        updater: "debian",
        kind: "updated",
        operation: {
          ref: "00000000-0000-4000-8000-000000000001",
          updater: "debian",
          fingerprint: "f1",
          date: 1_000,
          kind: "vulnerability",
        },
        changes: { added: 1, removed: 0 },
        items: 1,
        duplicates: 0,
        dropped: { count: 0, first: [] },
      });
      expect(second).toEqual({ updater: "debian", kind: "unchanged" });
      expect(updater.asked).toEqual([undefined, "f1"]);
      expect(await listOperations(store)).toHaveLength(1);
      expect(await advisoriesOf(store).coverage(["debian:12"])).toMatchObject([{ checkedAt: 2_000 }]);
    });

    test("stores an unchanged advisory once, whatever the number of updates", async () => {
      const items = [testAdvisory({ id: "a" }), testAdvisory({ id: "b" })];
      const updater = fakeUpdater("debian", ...["1", "2", "3"].map((fingerprint) => snapshot(fingerprint, items)));

      for (let run = 0; run < 3; run++) await update([updater]);

      expect(await store.db.selectFrom("advisory").select("advisory_id").execute()).toHaveLength(2);
      expect(await store.db.selectFrom("shared_text").select("id").execute()).toHaveLength(1);
      expect(await listOperations(store, { kind: "vulnerability" })).toHaveLength(3);
      expect(await latestOperations(store)).toMatchObject([{ fingerprint: "3" }]);
    });

    test("adds, changes and withdraws across many steps", async () => {
      const before = manyAdvisories(12_000);
      const after = [
        ...before.slice(5, 5_998),
        ...manyAdvisories(6_003, "2").slice(-3),
        ...before.slice(6_010, 11_990),
      ];
      const updater = fakeUpdater("many", snapshot("1", before), snapshot("2", after));

      await update([updater]);
      const [result] = await update([updater]);

      // 6,000–6,002 changed; 0–4, 5,998–5,999, 6,003–6,009 and 11,990–11,999 withdrawn.
      expect(result).toMatchObject({ kind: "updated", changes: { added: 3, removed: 27 }, items: 11_976 });
      const rows = await store.db.selectFrom("advisory").select("fixed").where("valid_to", "is", null).execute();
      expect(rows).toHaveLength(11_976);
      expect(rows.filter(({ fixed }) => fixed === "2")).toHaveLength(3);
      expect(await stagedRows()).toBe(0);
    });

    test("covers an ecosystem as long as the feed brings it, whatever other feeds and ecosystems do", async () => {
      const bringing = (updater: string, ...releases: readonly string[]) => {
        const items = releases.map((release) => testAdvisory({ id: release, ecosystem: `debian:${release}` }));
        return update([fakeUpdater(updater, snapshot(releases.join(), items))]);
      };
      const covered = async () => {
        const all = await advisoriesOf(store).coverage(["debian:11", "debian:12"]);
        return all.filter((one) => one.covered).map(({ ecosystem }) => ecosystem);
      };

      await bringing("debian", "11", "12");
      const both = await covered();
      await bringing("debian", "12");
      const one = await covered();
      await bringing("debian", "11");
      const another = await covered();
      await bringing("other", "11");
      await bringing("debian", "12");
      const ofTwoFeeds = await covered();
      await bringing("other", "12");

      expect([both, one, another]).toEqual([["debian:11", "debian:12"], ["debian:12"], ["debian:11"]]);
      expect([ofTwoFeeds, await covered()]).toEqual([["debian:11", "debian:12"], ["debian:12"]]);
    });

    test("keeps one of several items with the same id, the last", async () => {
      const items = ["1", "2", "3"].map((fixed) => testAdvisory({ id: "a", ranges: [{ fixed }] }));

      const [result] = await update([fakeUpdater("debian", snapshot("f", items))]);

      expect(result).toMatchObject({ items: 3, duplicates: 2, changes: { added: 1 } });
      expect(await shown()).toEqual(["a 3"]);
    });

    test("counts what is neither a record nor a problem, and fails for what is no update, as JavaScript may give it", async () => {
      const item = testAdvisory({ id: "a" });
      const items = [{ kind: "advisory", item }, undefined, { kind: "item" }, { kind: "item", item }];
      const updaterOf = (given: unknown) => ({ name: "odd", location: "", update: async () => given }) as Updater;

      const [counted] = await update([updaterOf({ kind: "snapshot", fingerprint: "f1", items })]);
      const [unknown] = await update([updaterOf({ kind: "whole", fingerprint: "f2" })]);
      const [nothing] = await update([updaterOf(undefined)]);

      expect(counted).toMatchObject({ kind: "updated", items: 1, dropped: { count: 3 } });
      expect([unknown?.kind, nothing?.kind]).toEqual(["failed", "failed"]);
      expect(await shown()).toHaveLength(1);
    });

    test("counts problems, keeps the first ones and goes on", async () => {
      const problems = Array.from(
        { length: 30 },
        (_, index) => ({ kind: "problem", at: `#${index}`, message: "odd" }) as const,
      );
      const odd = testAdvisory({ id: "nul\0" });
      const items = [...problems, odd, testAdvisory({ id: "a" })];

      const [result] = await update([fakeUpdater<Advisory>("debian", { kind: "snapshot", fingerprint: "f", items })]);

      expect(result).toMatchObject({ kind: "updated", items: 1, dropped: { count: 31 } });
      expect(result?.kind === "updated" && result.dropped.first).toHaveLength(20);
      expect(await shown()).toEqual(["a 1.3-1"]);
    });

    test("leaves the data of an updater whose feed breaks off as they are, and goes on with the others", async () => {
      const items = manyAdvisories(2_000);
      await update([
        fakeUpdater("many", snapshot("1", items)),
        fakeUpdater("debian", snapshot("1", [testAdvisory({ id: "a" })])),
      ]);
      const texts = await store.db.selectFrom("shared_text").selectAll().execute();

      const results = await update([
        fakeUpdater("many", snapshot("2", halfOf(items.map((item) => ({ ...item, description: `new ${item.id}` }))))),
        fakeUpdater("debian", snapshot("2", [testAdvisory({ id: "a", ranges: [{ fixed: "2" }] })])),
        fakeUpdater("down", new Error("no answer")),
      ]);

      expect(results.map(({ kind }) => kind)).toEqual(["failed", "updated", "failed"]);
      expect(await shown()).toEqual(["a 2"]);
      const rows = await store.db.selectFrom("advisory").select("valid_to").where("updater", "=", "many").execute();
      expect(rows.filter(({ valid_to }) => valid_to === null)).toHaveLength(2_000);
      expect((await latestOperations(store)).map(({ updater, fingerprint }) => [updater, fingerprint])).toEqual([
        ["debian", "2"],
        ["many", "1"],
      ]);
      expect(await stagedRows()).toBe(0);
      expect(await store.db.selectFrom("shared_text").selectAll().execute()).toEqual(texts);
    });

    test("leaves the data as they are when it is aborted", async () => {
      await update([fakeUpdater("many", snapshot("1", manyAdvisories(10)))]);
      const abort = new AbortController();
      const onEvent = (event: UpdateEvent) => event.kind === "progress" && abort.abort();

      const updating = update([fakeUpdater("many", snapshot("2", manyAdvisories(2_000, "2")))], {
        onEvent,
        signal: abort.signal,
      });

      await expect(updating).rejects.toMatchObject({ code: "aborted" });
      const rows = await store.db.selectFrom("advisory").select(["fixed", "valid_to"]).execute();
      expect(rows).toHaveLength(10);
      expect(rows.every(({ fixed, valid_to }) => fixed === "1" && valid_to === null)).toBe(true);
      await update([fakeUpdater("many", snapshot("3", manyAdvisories(1)))]); // clears what the aborted one had no time to clear
      expect(await stagedRows()).toBe(0);
    });

    test("leaves the data as they are when it is aborted at any step of storing them", async () => {
      await update([fakeUpdater("many", snapshot("1", manyAdvisories(10)))]);
      const before = await shown();
      for (const step of [0, 1, 2, 3]) {
        const abort = new AbortController();
        const onEvent = (event: UpdateEvent) => event.kind === "storing" && event.steps === step && abort.abort();
        const feed = fakeUpdater("many", snapshot("2", manyAdvisories(500, "2")));
        await expect(update([feed], { onEvent, signal: abort.signal })).rejects.toMatchObject({ code: "aborted" });
        expect(await shown()).toEqual(before);
      }
      const [result] = await update([fakeUpdater("many", snapshot("1", manyAdvisories(10)))]);
      expect(result).toMatchObject({ changes: { added: 0, removed: 0 } });
      const rows = await store.db.selectFrom("advisory").select(["fixed", "valid_to"]).execute();
      expect(rows).toHaveLength(10);
      expect(rows.every(({ fixed, valid_to }) => fixed === "1" && valid_to === null)).toBe(true);
    });

    test("does not take an empty feed for the end of all advisories", async () => {
      const updater = fakeUpdater<Advisory>("debian", snapshot("1", [testAdvisory({ id: "a" })]), snapshot("2", []));
      await update([updater]);

      const [result] = await update([updater]);

      expect(result).toMatchObject({ kind: "failed", error: { code: "malformed_feed" } });
      expect(await shown()).toEqual(["a 1.3-1"]);
    });

    test("leaves an updater alone that another process is running", async () => {
      const lock = await store.tryLock("matcher.update.debian", { clock: { now: () => now }, leaseSeconds: 60 });

      const results = await update([
        fakeUpdater("debian"),
        fakeUpdater("alpine", snapshot("1", [testAdvisory({ id: "a" })])),
      ]);

      expect(results.map(({ updater, kind }) => [updater, kind])).toEqual([
        ["debian", "busy"],
        ["alpine", "updated"],
      ]);
      await lock?.release();
    });

    if (engine.shared) {
      test("lets readers go on and see the new state at once and whole", async () => {
        const updater = fakeUpdater(
          "many",
          snapshot("1", manyAdvisories(3_000)),
          snapshot("2", manyAdvisories(3_000, "2")),
        );
        await update([updater]);
        const keys = Array.from({ length: 100 }, (_, index) => ({ ecosystem: "debian:12", name: `package-${index}` }));
        const seen = new Set<string>();
        let done = false;
        const updating = update([updater]).finally(() => {
          done = true;
        });
        while (!done) {
          const rules = await advisoriesOf(store).lookup(keys);
          expect(rules).toHaveLength(3_000);
          for (const { ranges } of rules) seen.add(`${ranges[0]?.fixed}`);
          expect(new Set(rules.map(({ ranges }) => ranges[0]?.fixed)).size).toBe(1);
          await new Promise((resolve) => setImmediate(resolve));
        }
        await updating;

        expect([...seen][0]).toBe("1");
        expect((await advisoriesOf(store).lookup(keys))[0]?.ranges).toEqual([{ fixed: "2" }]);
      });
    }

    test("keeps enrichments under their tags, with intervals of their own", async () => {
      const records = (score: number): EnrichmentRecord[] => [
        { tags: ["CVE-1", "GHSA-1"], record: { score } },
        { tags: ["CVE-2"], record: { score: 0 } },
      ];
      const enricher = (updater: Updater<EnrichmentRecord>): Enricher => ({
        name: "epss",
        type: "epss",
        updater,
        tags: () => [],
        enrich: () => undefined,
      });
      const updater = fakeUpdater<EnrichmentRecord>("epss", snapshot("1", records(1)), snapshot("2", records(2)));

      await update([], { enrichers: [enricher(updater)] });
      const [result] = await update([], { enrichers: [enricher(updater)] });

      expect(result).toMatchObject({
        kind: "updated",
        changes: { added: 2, removed: 2 },
        operation: { kind: "enrichment" },
      });
      expect(await findEnrichments(store, "epss", { tags: ["GHSA-1", "CVE-1", "CVE-9"] })).toEqual([
        { tags: ["CVE-1", "GHSA-1"], record: { score: 2 } },
      ]);
      expect(await findEnrichments(store, "other", { tags: ["CVE-1"] })).toEqual([]);
      expect(await latestOperations(store, { kind: "vulnerability" })).toEqual([]);
    });

    test("tells what it does", async () => {
      const events: UpdateEvent[] = [];

      await update([fakeUpdater("many", snapshot("1", manyAdvisories(2_500)))], {
        onEvent: (event) => events.push(event),
      });

      const told = events.map((event) => (event.kind === "progress" ? event.items : event.kind));
      expect([...new Set(told)]).toEqual(["chosen", "started", 2_000, 2_500, "storing", "ended"]);
      const steps = events.flatMap((event) => (event.kind === "storing" ? event.steps : []));
      expect(steps).toEqual(steps.map((_, index) => index));
    });
  },
);
