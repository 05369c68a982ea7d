import type { Advisory } from "@plimsoll/core";
import type { RecordChange } from "@plimsoll/core/internal";
import type { Enricher, EnrichmentRecord, Updater } from "@plimsoll/core/plugins";
import { engineTitle, type FakeUpdate, fakeUpdater, testAdvisory, testEngines } from "@plimsoll/testing";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { noFeeds, openEmptyStore } from "./fixtures/test-stores.ts";
import { advisoriesOf } from "./store/advisories.ts";
import { collectGarbage } from "./store/collect-garbage.ts";
import { deleteOperation } from "./store/delete-operation.ts";
import { findEnrichments } from "./store/enrichments.ts";
import { listFeeds } from "./store/feed-status.ts";
import type { MatcherStore } from "./store/tables.ts";
import { diffOperations } from "./store/update-diff.ts";
import { type UpdateResult, updateFeeds } from "./update-feeds.ts";

/** `RECORD.PACKAGE FIXED`: an advisory of the record about the package. */
function advisory(text: string): Advisory {
  const [id = "", fixed = ""] = text.split(" ");
  const [name = "", packageName = ""] = id.split(".");
  return testAdvisory({ id, name, packageName, updater: "feed", ranges: [{ fixed }], ecosystem: "eco" });
}

const whole = (fingerprint: string, ...items: string[]) =>
  ({ kind: "snapshot", fingerprint, items: items.map(advisory) }) as const;

/** Changes of records: the advisories that each has now. */
function delta(fingerprint: string, changes: Readonly<Record<string, readonly string[]>>): FakeUpdate<Advisory> {
  const entries = Object.entries(changes).map(([record, items]) => ({ record, items: items.map(advisory) }));
  return { kind: "delta", fingerprint, changes: entries };
}

async function* cutOff(...changes: RecordChange<Advisory>[]): AsyncGenerator<RecordChange<Advisory>> {
  yield* changes;
  throw new Error("the document ends in the middle of a record");
}

const packages = ["x", "y", "z"];

describe.each(testEngines.map((engine) => ({ engine, title: engineTitle(engine) })))(
  "deltas on $title",
  ({ engine }) => {
    const test = it.skipIf(engine.skip !== undefined);
    let stack: AsyncDisposableStack;
    let store: MatcherStore;
    let now = 0;
    beforeEach(async () => {
      stack = new AsyncDisposableStack();
      store = await openEmptyStore(engine, stack);
      now = 0;
    });
    afterEach(() => stack.disposeAsync());

    const update = async (updater: Updater, enrichers: readonly Enricher[] = []) => {
      now += 1_000;
      const updaters = enrichers.length === 0 ? [updater] : [];
      const [result] = await updateFeeds({ updaters, enrichers }, { store, feeds: noFeeds, clock: { now: () => now } });
      return result;
    };
    /** Runs one update after another; the last one's result. */
    const run = async (...updates: readonly FakeUpdate<Advisory>[]): Promise<UpdateResult | undefined> => {
      const updater = fakeUpdater("feed", ...updates);
      let last: UpdateResult | undefined;
      for (const _ of updates) last = await update(updater);
      return last;
    };
    const shown = async (asOf?: number) => {
      const keys = packages.map((name) => ({ ecosystem: "eco", name }));
      const rules = await advisoriesOf(store, asOf === undefined ? {} : { asOf }).lookup(keys);
      return rules.map(({ id, ranges }) => `${id} ${ranges[0]?.fixed}`).sort();
    };
    const staged = async () => {
      const rows = await store.transaction(async (transaction) => [
        ...(await transaction.selectFrom("advisory_staging").select("run").execute()),
        ...(await transaction.selectFrom("record_staging").select("run").execute()),
      ]);
      return rows.length;
    };

    const start = whole("1", "A.x 1", "A.y 1", "B.x 1", "C.z 1");

    test.each([
      ["adds a record", { D: ["D.x 1"] }, ["A.x 1", "A.y 1", "B.x 1", "C.z 1", "D.x 1"], { added: 1, removed: 0 }],
      ["changes a record", { B: ["B.x 2"] }, ["A.x 1", "A.y 1", "B.x 2", "C.z 1"], { added: 1, removed: 1 }],
      ["removes a record", { A: [] }, ["B.x 1", "C.z 1"], { added: 0, removed: 2 }],
      [
        "takes one package out of a record, and another in",
        { A: ["A.x 1", "A.z 1"] },
        ["A.x 1", "A.z 1", "B.x 1", "C.z 1"],
        { added: 1, removed: 1 },
      ],
      ["says what is known already", { B: ["B.x 1"] }, ["A.x 1", "A.y 1", "B.x 1", "C.z 1"], { added: 0, removed: 0 }],
      ["removes an unknown record", { Z: [] }, ["A.x 1", "A.y 1", "B.x 1", "C.z 1"], { added: 0, removed: 0 }],
      ["names no record", {}, ["A.x 1", "A.y 1", "B.x 1", "C.z 1"], { added: 0, removed: 0 }],
      ["removes all records", { A: [], B: [], C: [] }, [], { added: 0, removed: 4 }],
    ])("%s and leaves the others", async (_story, changes, expected, counts) => {
      const result = await run(start, delta("2", changes));

      expect(result).toMatchObject({ kind: "updated", changes: counts, operation: { fingerprint: "2" } });
      expect(await shown()).toEqual(expected);
      expect(await shown(1_000)).toEqual(["A.x 1", "A.y 1", "B.x 1", "C.z 1"]);
      expect(await listFeeds(store)).toMatchObject([{ name: "feed", rows: expected.length }]);
      expect(await staged()).toBe(0);
    });

    test("changes nothing when it arrives twice", async () => {
      const change = delta("2", { A: [], B: ["B.x 2"] });
      await run(start, change);
      const before = await shown();

      const result = await run(change);

      expect(result).toMatchObject({ kind: "updated", changes: { added: 0, removed: 0 } });
      expect(await shown()).toEqual(before);
    });

    test("counts the last change of a record, in one batch and across batches", async () => {
      const many = Array.from({ length: 4_500 }, (_, index) => ({
        record: `R${index}`,
        items: [advisory(`R${index}.y 1`)],
      }));
      const first = { record: "A", items: [advisory("A.x 2"), advisory("A.y 2")] };
      const changes = [first, { record: "B", items: [advisory("B.x 2")] }, { record: "B", items: [] }, ...many];

      await run(start, {
        kind: "delta",
        fingerprint: "2",
        changes: [...changes, { record: "A", items: [advisory("A.x 3")] }],
      });

      expect((await shown()).filter((text) => !text.startsWith("R"))).toEqual(["A.x 3", "C.z 1"]);
      expect(await shown()).toHaveLength(2 + many.length);
    });

    test("leaves the data as they were when it is cut off, and can then be run again", async () => {
      const change = { record: "A", items: [] };
      const failed = await run(start, { kind: "delta", fingerprint: "2", changes: cutOff(change) });

      expect(failed).toMatchObject({ kind: "failed" });
      expect(await shown()).toEqual(["A.x 1", "A.y 1", "B.x 1", "C.z 1"]);
      expect(await staged()).toBe(0);
      const updater = fakeUpdater("feed", delta("2", { A: [] }));
      await update(updater);
      expect(updater.asked).toEqual(["1"]);
      expect(await shown()).toEqual(["B.x 1", "C.z 1"]);
    });

    test("is refused where nothing of the feed is stored", async () => {
      const result = await run(delta("1", { A: ["A.x 1"] }));

      expect(result).toMatchObject({ kind: "failed", error: { code: "malformed_feed" } });
      expect(await shown()).toEqual([]);
    });

    test("is followed by a full update as by any other", async () => {
      await run(start, delta("2", { D: ["D.x 1"], A: [] }), whole("3", "A.x 1", "B.x 1"));

      expect(await shown()).toEqual(["A.x 1", "B.x 1"]);
      expect(await shown(2_000)).toEqual(["B.x 1", "C.z 1", "D.x 1"]);
      expect(await listFeeds(store)).toMatchObject([{ rows: 2 }]);
    });

    test("can be compared, taken back and collected", async () => {
      const first = await run(start);
      const second = await run(delta("2", { A: [], D: ["D.y 1"] }));
      if (first?.kind !== "updated" || second?.kind !== "updated") throw new Error("not updated");
      const { added, removed } = await diffOperations(store, {
        previous: first.operation.ref,
        current: second.operation.ref,
      });

      expect([added.ids, removed.ids]).toEqual([["D.y"], ["A.x", "A.y"]]);
      await collectGarbage(store, { keep: 1 });
      expect(await shown()).toEqual(["B.x 1", "C.z 1", "D.y 1"]);
      await run(delta("3", { B: [] }));
      expect(await deleteOperation(store, (await latestRef()) ?? "")).toBe(true);
      expect(await shown()).toEqual(["B.x 1", "C.z 1", "D.y 1"]);
    });
    const latestRef = async () =>
      (await store.db.selectFrom("update_operation").select("ref").orderBy("seq", "desc").executeTakeFirst())?.ref;

    test("keeps what the feed lacked before, and drops items of other records and records that no database can name", async () => {
      const odd = { kind: "problem", at: "feed: record 7", message: "no id" } as const;
      const wrong = { record: "B", items: [advisory("B.x 2"), advisory("C.z 9")] };

      await run(
        { kind: "snapshot", fingerprint: "1", items: [advisory("A.x 1"), advisory("C.z 1"), odd] },
        { kind: "delta", fingerprint: "2", changes: [wrong, { record: "nul\0", items: [advisory("D.x 1")] }] },
      );

      expect(await shown()).toEqual(["A.x 1", "B.x 2", "C.z 1"]);
      const places = [{ at: '"nul\\u0000"' }, { at: "B" }, { at: "feed: record 7" }];
      expect(await listFeeds(store)).toMatchObject([{ dropped: { count: 3, first: places } }]);
    });

    test("keeps saying of an ecosystem that it is covered", async () => {
      await run(start, delta("2", { A: [], B: [], C: [] }));

      expect(await advisoriesOf(store).coverage(["eco"])).toMatchObject([{ covered: true }]);
    });

    test("changes facts by the tags that it names", async () => {
      const fact = (score: number, ...tags: string[]): EnrichmentRecord => ({ tags, record: { score } });
      const updater = fakeUpdater<EnrichmentRecord>(
        "scores",
        { kind: "snapshot", fingerprint: "1", items: [fact(1, "A", "B"), fact(2, "C")] },
        {
          kind: "delta",
          fingerprint: "2",
          changes: [
            { record: "A", items: [fact(3, "A", "B")] },
            { record: "B", items: [] },
          ],
        },
      );
      const enricher: Enricher = { name: "scores", type: "scores", updater, tags: () => [], enrich: () => undefined };
      for (const _ of [1, 2]) await update(fakeUpdater("none"), [enricher]);

      const found = async (tag: string) =>
        (await findEnrichments(store, "scores", { tags: [tag] })).map(({ record }) => record);
      expect([await found("A"), await found("B"), await found("C")]).toEqual([[{ score: 3 }], [], [{ score: 2 }]]);
    });
  },
);
