import type { Advisory } from "@plimsoll/core";
import type { FeedItem, Updater } from "@plimsoll/core/plugins";
import { engineTitle, testAdvisory, testEngines } from "@plimsoll/testing";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { noFeeds, openEmptyStore } from "./fixtures/test-stores.ts";
import { advisoriesOf } from "./store/advisories.ts";
import { deleteOperation } from "./store/delete-operation.ts";
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

    const operationOf = (result: UpdateResult | undefined) => {
      if (result?.kind !== "updated") throw new Error(`unexpected ${JSON.stringify(result)}`);
      return result.operation.ref;
    };
    const rowsOf = async () => {
      const rows = await store.db.selectFrom("advisory").select(["fixed", "valid_to"]).distinct().execute();
      return rows.map(({ fixed, valid_to }) => `${fixed} ${valid_to}`);
    };
    const restOf = async () => {
      const rules = await store.db.selectFrom("current_rules").select(["valid_to"]).distinct().execute();
      const running = await store.db.selectFrom("running_update").select("run").execute();
      return [...rules, ...running];
    };

    test("is deleted in short transactions, and seen whole or not at all after each of them", async () => {
      await update("1");
      const ref = operationOf(await update("2"));
      const seen: string[] = [];
      const changed: number[] = [];
      const reopened = async () => {
        const rows = store.db.selectFrom("advisory").select(({ fn }) => fn.countAll().as("rows"));
        const { rows: count } = await rows
          .where("fixed", "=", "1")
          .where("valid_to", "is", null)
          .executeTakeFirstOrThrow();
        return Number(count);
      };
      let before: readonly [number, number] = [await begunRows("2"), 0];

      const deleting = telling(async () => {
        const now = [await begunRows("2"), await reopened()] as const;
        changed.push(before[0] - now[0] + now[1] - before[1]);
        before = now;
        const state = await shown();
        if (seen.at(-1) !== state) seen.push(state);
      });
      expect(await deleteOperation(deleting, ref)).toBe(true);

      expect(seen).toEqual([whole("2"), whole("1")]);
      expect(Math.max(...changed)).toBeLessThanOrEqual(mostRows);
      expect(await rowsOf()).toEqual(["1 null"]);
      expect(await restOf()).toEqual([{ valid_to: null }]);
      expect(await deleteOperation(store, ref)).toBe(false);
    });

    test.each(["2", "1"])(
      "that deletes it and breaks off where %s is shown leaves that whole, and nothing else",
      async (last) => {
        await update("1");
        const ref = operationOf(await update("2"));
        let isBroken = false;
        const breaking = telling(async () => {
          const hasClaim = (await store.db.selectFrom("running_update").select("run").execute()).length > 0;
          isBroken = hasClaim && (await shown()) === whole(last);
          if (isBroken) throw new Error("broken off");
        });

        await expect(deleteOperation(breaking, ref)).rejects.toThrow("broken off");

        expect(isBroken).toBe(true);
        expect(await shown()).toBe(whole(last));
        expect(await update("3")).toMatchObject({ changes: { added: advisories, removed: advisories } });
        expect(await shown()).toBe(whole("3"));
        expect(await restOf()).toEqual([{ valid_to: null }]);
        if (last === "1") expect((await rowsOf()).sort()).toEqual([expect.stringMatching(/^1 \d/), "3 null"]);
      },
    );

    test("that begins while the latest is deleted starts from what was before", async () => {
      await update("1");
      const ref = operationOf(await update("2"));
      let third: UpdateResult | undefined;
      const deleting = telling(async () => {
        if (third !== undefined || (await shown()) !== whole("1")) return;
        third = await update("3");
      });

      expect(await deleteOperation(deleting, ref)).toBe(true);

      expect(third).toMatchObject({ kind: "updated", changes: { added: advisories, removed: advisories } });
      expect(await shown()).toBe(whole("3"));
      expect((await rowsOf()).sort()).toEqual([expect.stringMatching(/^1 \d/), "3 null"]);
      expect(await restOf()).toEqual([{ valid_to: null }]);
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
