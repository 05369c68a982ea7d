import type { Advisory } from "@plimsoll/core";
import type { Enricher, EnrichmentRecord, FeedItem, Updater } from "@plimsoll/core/plugins";
import { engineTitle, fakeUpdater, testAdvisory, testEngines } from "@plimsoll/testing";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { noFeeds, openEmptyStore } from "./fixtures/test-stores.ts";
import { advisoriesOf } from "./store/advisories.ts";
import { findEnrichments } from "./store/enrichments.ts";
import { findNamedAdvisories } from "./store/named-advisories.ts";
import type { MatcherStore } from "./store/tables.ts";
import { diffOperations } from "./store/update-diff.ts";
import { findLatestRef } from "./store/update-operations.ts";
import { type UpdateEvent, updateFeeds } from "./update-feeds.ts";

const key = { ecosystem: "debian:12", name: "zlib" };
const tables = [
  "advisory",
  "enrichment",
  "shared_text",
  "current_rules",
  "running_update",
  "update_operation",
] as const;

describe.each(testEngines.map((engine) => ({ engine, title: engineTitle(engine) })))(
  "a feed's first snapshot on $title",
  ({ engine }) => {
    const test = it.skipIf(engine.skip !== undefined);
    let stack: AsyncDisposableStack;
    let store: MatcherStore;
    beforeEach(async () => {
      stack = new AsyncDisposableStack();
      store = await openEmptyStore(engine, stack);
    });
    afterEach(() => stack.disposeAsync());

    const update = (
      updaters: readonly Updater[],
      more: { enrichers?: readonly Enricher[]; onEvent?: (event: UpdateEvent) => void; signal?: AbortSignal } = {},
    ) => {
      const { enrichers = [], ...options } = more;
      return updateFeeds({ updaters, enrichers }, { store, feeds: noFeeds, clock: { now: () => 1_000 }, ...options });
    };

    /** A feed that calls back when all of it but its end was read. */
    const feed = (name: string, atEnd: () => Promise<void>, count = 4_100): Updater => ({
      name,
      location: "https://feeds.example/feed",
      update: async () => ({ kind: "snapshot", fingerprint: "1", items: itemsOf(name, count, atEnd) }),
    });

    const rowsOf = async () =>
      Promise.all(tables.map(async (table) => (await store.db.selectFrom(table).selectAll().execute()).length));

    const shown = async () => [
      await advisoriesOf(store).lookup([key]),
      await advisoriesOf(store).details(["big/1"]),
      (await findNamedAdvisories(store, "CVE-2024-11111")).keys,
      await advisoriesOf(store).coverage(["debian:12"]),
    ];

    test("is written where it stays, and not visible before all of it is", async () => {
      const nothing = await shown();
      let meanwhile: unknown;
      let written = 0;

      await update([
        feed("big", async () => {
          meanwhile = await shown();
          written = (await store.db.selectFrom("advisory").select("advisory_id").execute()).length;
        }),
      ]);

      expect(meanwhile).toEqual(nothing);
      expect(written).toBe(4_000);
      expect(await advisoriesOf(store).lookup([key])).toHaveLength(4_100);
      expect(await advisoriesOf(store).details(["big/1"])).toHaveLength(1);
      expect((await findNamedAdvisories(store, "CVE-2024-11111")).keys).toHaveLength(1);
    });

    test("of facts is not visible before all of it is", async () => {
      let meanwhile: unknown;
      const items = async function* (): AsyncGenerator<FeedItem<EnrichmentRecord>> {
        for (let index = 0; index < 2_000; index++)
          yield { kind: "item", item: { tags: [`CVE-${index}`], record: { score: index } } };
        meanwhile = await findEnrichments(store, "epss", { tags: ["CVE-1"] });
      };
      const updater: Updater<EnrichmentRecord> = {
        name: "epss",
        location: "https://feeds.example/epss",
        update: async () => ({ kind: "snapshot", fingerprint: "1", items: items() }),
      };

      await update([], {
        enrichers: [{ name: "epss", type: "epss", updater, tags: () => [], enrich: () => undefined }],
      });

      expect(meanwhile).toEqual([]);
      expect(await findEnrichments(store, "epss", { tags: ["CVE-1"] })).toHaveLength(1);
    });

    test("leaves nothing when the feed breaks off", async () => {
      const [result] = await update([feed("big", () => Promise.reject(new Error("cut")))]);

      expect(result?.kind).toBe("failed");
      expect(await rowsOf()).toEqual([0, 0, 0, 0, 0, 0]);
    });

    test("that is aborted at any step is begun anew", async () => {
      for (const moment of ["progress", "storing"]) {
        const abort = new AbortController();
        const onEvent = (event: UpdateEvent) => event.kind === moment && abort.abort();
        const updating = update([feed("big", async () => {}, 2_100)], { onEvent, signal: abort.signal });
        await expect(updating).rejects.toMatchObject({ code: "aborted" });
        expect(await advisoriesOf(store).lookup([key])).toEqual([]);
      }

      await update([fakeUpdater("big", { kind: "snapshot", fingerprint: "2", items: [testAdvisory({ id: "a" })] })]);

      expect(await rowsOf()).toEqual([1, 0, 1, 1, 0, 1]);
    });

    test("comes after what became visible while it was written", async () => {
      const small = fakeUpdater("small", { kind: "snapshot", fingerprint: "1", items: [testAdvisory({ id: "a" })] });

      const [first] = await update([feed("big", async () => void (await update([small])))]);

      if (first?.kind !== "updated") throw new Error(`unexpected ${JSON.stringify(first)}`);
      expect(await findLatestRef(store)).toBe(first.operation.ref);
      expect((await diffOperations(store, { current: first.operation.ref })).added.size).toBe(4_100);
      expect(await advisoriesOf(store).lookup([key])).toHaveLength(4_101);
    });
  },
);

async function* itemsOf(name: string, count: number, atEnd: () => Promise<void>): AsyncGenerator<FeedItem<Advisory>> {
  for (let index = 0; index < count; index++) {
    const id = `${name}/${index}`;
    const item = testAdvisory({ id, name: `CVE-2024-${10_000 + index}`, description: id, updater: name });
    yield { kind: "item", item };
  }
  await atEnd();
}
