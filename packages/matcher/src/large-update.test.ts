import type { Advisory, FeedItem, Updater } from "@plimsoll/core";
import { engineTitle, testAdvisory, testEngines } from "@plimsoll/testing";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { noFeeds, openEmptyStore } from "./fixtures/test-stores.ts";
import { advisoriesOf } from "./store/advisories.ts";
import { deleteOperation } from "./store/forget-operations.ts";
import { findNamedAdvisories } from "./store/named-advisories.ts";
import type { MatcherStore } from "./store/tables.ts";
import { type UpdateResult, updateFeeds } from "./update-feeds.ts";

const advisories = 4_500;
const keys = Array.from({ length: 300 }, (_, index) => ({ ecosystem: "debian:12", name: `package-${index}` }));
/** As many rows as one transaction may change. */
const mostRows = 2_000;

/** A feed of which each version has other advisories of the same ids. */
function feedOf(version: string): Updater {
  return {
    name: "large",
    location: "https://feeds.example/feed",
    update: async () => ({ kind: "snapshot", fingerprint: version, items: itemsOf(version) }),
  };
}

async function* itemsOf(version: string): AsyncGenerator<FeedItem<Advisory>> {
  for (let index = 0; index < advisories; index++) {
    const packageName = keys[index % keys.length]?.name ?? "";
    const name = `CVE-2024-${10_000 + index}`;
    const item = testAdvisory({
      id: `${index}`,
      name,
      packageName,
      ranges: [{ fixed: version }],
      description: version,
    });
    yield { kind: "item", item };
  }
}

describe.each(testEngines.map((engine) => ({ engine, title: engineTitle(engine) })))(
  "an update that changes everything on $title",
  ({ engine }) => {
    const test = it.skipIf(engine.skip !== undefined);
    let stack: AsyncDisposableStack;
    let store: MatcherStore;
    beforeEach(async () => {
      stack = new AsyncDisposableStack();
      store = await openEmptyStore(engine, stack);
    });
    afterEach(() => stack.disposeAsync());

    const update = async (version: string, on: MatcherStore = store): Promise<UpdateResult | undefined> => {
      const options = { store: on, feeds: noFeeds, clock: { now: () => 1_000 } };
      const [result] = await updateFeeds({ updaters: [feedOf(version)], enrichers: [] }, options);
      return result;
    };

    /** The versions that are shown, by all that reads, and how many advisories. */
    const shown = async () => {
      const source = advisoriesOf(store);
      const rules = await source.lookup(keys);
      const details = await source.details(["0", `${advisories - 1}`]);
      const { keys: named } = await findNamedAdvisories(store, "CVE-2024-10000");
      const versions = new Set([...rules, ...details].map(({ ranges }) => ranges[0]?.fixed));
      return `${rules.length} ${details.length} ${named.length} ${[...versions].join()}`;
    };
    const whole = (version: string) => `${advisories} 2 1 ${version}`;

    /** A store that tells when a transaction was committed. */
    const telling = (onCommit: () => Promise<void>): MatcherStore => ({
      ...store,
      transaction: async (work) => {
        const result = await store.transaction(work);
        await onCommit();
        return result;
      },
    });

    const begunRows = async (version: string) => {
      const rows = store.db.selectFrom("advisory").select(({ fn }) => fn.countAll().as("rows"));
      return Number((await rows.where("fixed", "=", version).executeTakeFirstOrThrow()).rows);
    };

    test("is written in short transactions, and seen whole or not at all after each of them", async () => {
      await update("1");
      const seen: string[] = [];
      let before = 0;
      let most = 0;

      const result = await update(
        "2",
        telling(async () => {
          const now = await begunRows("2");
          most = Math.max(most, now - before);
          before = now;
          const state = await shown();
          if (seen.at(-1) !== state) seen.push(state);
        }),
      );

      expect(result).toMatchObject({ kind: "updated", changes: { added: advisories, removed: advisories } });
      expect(seen).toEqual([whole("1"), whole("2")]);
      expect(most).toBeLessThanOrEqual(mostRows);
      expect(
        await store.db.selectFrom("current_rules").select("valid_to").where("valid_to", "is not", null).execute(),
      ).toEqual([]);
    });

    test("is dropped, and leaves nothing, when what it follows is deleted meanwhile", async () => {
      await update("1");
      const second = await update("2");
      if (second?.kind !== "updated") throw new Error(`unexpected ${JSON.stringify(second)}`);
      let isDeleted = false;

      const third = await update(
        "3",
        telling(async () => {
          if (isDeleted || (await begunRows("3")) === 0) return;
          isDeleted = true;
          await deleteOperation(store, second.operation.ref);
          expect(await shown()).toBe(whole("1"));
        }),
      );

      expect(third).toMatchObject({ kind: "failed", error: { code: "aborted" } });
      expect(await shown()).toBe(whole("1"));
      const rows = await store.db.selectFrom("advisory").select(["fixed", "valid_to"]).execute();
      expect(new Set(rows.map(({ fixed, valid_to }) => `${fixed} ${valid_to}`))).toEqual(new Set(["1 null"]));
      expect(await update("4")).toMatchObject({ changes: { added: advisories, removed: advisories } });
      expect(await shown()).toBe(whole("4"));
    });
  },
);
