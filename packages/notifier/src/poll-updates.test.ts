import { randomUUID } from "node:crypto";
import { countJobs } from "@plimsoll/store";
import { engineTitle, fakeTime, testEngines } from "@plimsoll/testing";
import { describe, expect, it } from "vitest";
import { type FakeOperation, fakeSources, vulnerabilityOf } from "./fixtures/fake-sources.ts";
import { openNotifierStore } from "./fixtures/notifier-store.ts";
import { createNotificationService } from "./notification-service.ts";
import { type PollOptions, type PollResult, pollUpdates } from "./poll-updates.ts";
import type { DiffRefs } from "./ports.ts";
import { insertSet } from "./store/notification-sets.ts";
import type { NotifierStore } from "./store/tables.ts";
import { summarize } from "./values/notification.ts";

const manifests = { "sha256:1": ["expat", "zlib"], "sha256:2": ["zlib"] };
const [a, b, c] = [vulnerabilityOf("A", "expat"), vulnerabilityOf("B", "zlib"), vulnerabilityOf("C", "nowhere")];
const first: FakeOperation = { ref: "op1", says: [a] };
const second: FakeOperation = { ref: "op2", says: [a, b] };
const third: FakeOperation = { ref: "op3", says: [b] };
const beside: FakeOperation = { ref: "op4", says: [b, c] };

const { clock } = fakeTime();

function poll(store: NotifierStore, feed: readonly FakeOperation[], more: Partial<PollOptions> = {}) {
  return pollUpdates({ store, ...fakeSources({ feed }, manifests), clock, ...more });
}

/** `manifest reason name` of each notification, set by set. */
async function told(store: NotifierStore, results: readonly PollResult[]): Promise<string[][]> {
  const service = createNotificationService(store);
  const sets = results.flatMap((result) => (result.kind === "polled" ? result.sets : []));
  return Promise.all(
    sets.map(async ({ id }) => {
      const { notifications } = await service.getPage(id);
      return notifications.map(({ manifest, reason, vulnerability }) => `${manifest} ${reason} ${vulnerability.name}`);
    }),
  );
}

describe.each(testEngines.map((engine) => ({ engine, title: engineTitle(engine) })))(
  "pollUpdates on $title",
  ({ engine }) => {
    const test = it.skipIf(engine.skip !== undefined);

    test("makes no notifications of the first operation, and then those of each update", async () => {
      await using database = await engine.create();
      await using store = await openNotifierStore(database.location);

      const before = await poll(store, [first]);
      const after = await poll(store, [first, second, third]);
      const again = await poll(store, [first, second, third]);

      expect(await told(store, before)).toEqual([]);
      expect(await told(store, after)).toEqual([["sha256:1 added B", "sha256:2 added B"], ["sha256:1 removed A"]]);
      expect(await told(store, again)).toEqual([]);
      expect(await countJobs(store.db)).toEqual([{ kind: "notifier.deliver", state: "waiting", jobs: 2 }]);
    });

    test("makes notifications of everything from a new updater if configured", async () => {
      await using database = await engine.create();
      await using store = await openNotifierStore(database.location);

      const results = await poll(store, [second], { firstSight: "notify", mode: "full" });

      expect(await told(store, results)).toEqual([["sha256:1 added A", "sha256:1 added B", "sha256:2 added B"]]);
    });

    test("writes many notifications in short transactions, of which the last completes the set", async () => {
      await using database = await engine.create();
      await using store = await openNotifierStore(database.location);
      const names = Array.from({ length: 3_500 }, (_, index) => `sha256:${index}`);
      const sources = fakeSources({ feed: [first, second] }, Object.fromEntries(names.map((name) => [name, ["zlib"]])));
      await poll(store, [first]);
      const written: number[] = [];
      const watched: NotifierStore = {
        ...store,
        transaction: (work) =>
          store.transaction(async (transaction) => {
            const count = async () => {
              const counted = transaction.selectFrom("notification").select(({ fn }) => fn.countAll().as("rows"));
              return Number((await counted.executeTakeFirstOrThrow()).rows);
            };
            const before = await count();
            const result = await work(transaction);
            written.push((await count()) - before);
            return result;
          }),
      };

      const [result] = await pollUpdates({ store: watched, ...sources, clock, mode: "full" });

      expect(result).toMatchObject({ sets: [{ notifications: names.length }] });
      expect(Math.max(...written)).toBe(0);
      expect(await store.db.selectFrom("staged_change").selectAll().execute()).toEqual([]);
    });

    test("deletes the incomplete set of a killed process", async () => {
      await using database = await engine.create();
      await using store = await openNotifierStore(database.location);
      const [polled] = await poll(store, [first]);
      const operation = { ref: "op2", updater: polled?.updater ?? "", fingerprint: "", date: "2024-01-01T00:00:00Z" };
      const left = { id: randomUUID(), operation: { ...operation, kind: "vulnerability" as const }, createdAt: 1 };
      const notifications = [{ manifest: "sha256:9", reason: "added" as const, vulnerability: summarize(b) }];
      await insertSet(store.db, { subscriber: "transport", ...left, notifications, state: "writing" });

      const results = await poll(store, [first, second], { mode: "full" });

      expect(await told(store, results)).toEqual([["sha256:1 added B", "sha256:2 added B"]]);
      expect(await store.db.selectFrom("notification_set").select("state").execute()).toEqual([{ state: "created" }]);
      expect(await store.db.selectFrom("notification").select("manifest").execute()).toHaveLength(2);
    });

    test("records an update that applies to no image, without a set", async () => {
      await using database = await engine.create();
      await using store = await openNotifierStore(database.location);
      await poll(store, [third]);

      const results = await poll(store, [third, beside]);

      expect(await told(store, results)).toEqual([]);
      expect(await countJobs(store.db)).toEqual([]);
      const operations = await store.db.selectFrom("notified_operation").select("ref").orderBy("ref").execute();
      expect(operations).toEqual([{ ref: "op3" }, { ref: "op4" }]);
    });

    test("processes an update once although its set is deleted and a newer operation is missing", async () => {
      await using database = await engine.create();
      await using store = await openNotifierStore(database.location);
      await poll(store, [first]);
      const [result] = await poll(store, [first, second]);
      const set = result?.kind === "polled" ? result.sets[0] : undefined;
      await createNotificationService(store).deleteSet(set?.id ?? "");
      await poll(store, [first, second, third]);

      const again = await poll(store, [first, second]);

      expect(again).toEqual([{ kind: "polled", updater: "feed", sets: [] }]);
    });

    test("deletes operations that are no longer listed, but never the newest", async () => {
      await using database = await engine.create();
      await using store = await openNotifierStore(database.location);
      await poll(store, [first, second]);
      await poll(store, []);

      const operations = await store.db.selectFrom("notified_operation").select("ref").execute();

      expect(operations).toEqual([{ ref: "op2" }]);
      expect(await told(store, await poll(store, [first, second]))).toEqual([]);
    });

    test("continues with the other updaters when one fails, and retries that one later", async () => {
      await using database = await engine.create();
      await using store = await openNotifierStore(database.location);
      const feeds = (refs: number) => ({
        bad: [first, second].slice(0, refs),
        good: [
          { ...first, ref: "g1" },
          { ...second, ref: "g2" },
        ].slice(0, refs),
      });
      await pollUpdates({ store, ...fakeSources(feeds(1), manifests), clock });
      const sources = fakeSources(feeds(2), manifests);
      const failing = {
        ...sources.updates,
        updateDiff: (refs: DiffRefs) =>
          refs.cur === "op2" ? Promise.reject(new Error("no answer")) : sources.updates.updateDiff(refs),
      };

      const results = await pollUpdates({ store, ...sources, updates: failing, clock });
      const later = await pollUpdates({ store, ...sources, clock });

      expect(results.map(({ kind }) => kind)).toEqual(["failed", "polled"]);
      expect(await told(store, results)).toHaveLength(1);
      expect(await told(store, later)).toEqual([["sha256:1 added B", "sha256:2 added B"]]);
    });

    test("asks the indexer in batches, and for each vulnerability once", async () => {
      await using database = await engine.create();
      await using store = await openNotifierStore(database.location);
      const many = Array.from({ length: 2_500 }, (_, index) => vulnerabilityOf(`V${index}`, index % 2 ? "zlib" : "x"));
      const feed = [first, { ref: "op2", says: [...first.says, ...many] }];
      const sources = fakeSources({ feed }, manifests);
      await poll(store, [first]);
      const sizes: number[] = [];
      const counting: PollOptions["affected"] = {
        listAffected: (batch, options) => {
          sizes.push((batch as readonly unknown[]).length);
          return sources.affected.listAffected(batch, options);
        },
      };

      const [result] = await poll(store, feed, { mode: "full", affected: counting });

      expect(sizes).toEqual([1_000, 1_000, 500]);
      expect(result?.kind === "polled" && result.sets[0]?.notifications).toBe(2_500);
    });

    test("asks for a whole group in one request, and for one group per request", async () => {
      await using database = await engine.create();
      await using store = await openNotifierStore(database.location);
      const groups = ["a", "a", "b"].map((group, index) => ({
        ...vulnerabilityOf(`V${index}`, "zlib"),
        rule: { ecosystem: "debian:12", ranges: [], versions: [], group },
      }));
      const sources = fakeSources({ feed: [first, { ref: "op2", says: [...first.says, ...groups] }] }, manifests);
      await poll(store, [first]);
      const asked: string[][] = [];
      const affected: PollOptions["affected"] = {
        listAffected: (batch, options) => {
          asked.push((batch as unknown as readonly { readonly name: string }[]).map(({ name }) => name));
          return sources.affected.listAffected(batch, options);
        },
      };

      await pollUpdates({ store, ...sources, affected, clock });

      expect(asked).toEqual([["V0", "V1"], ["V2"]]);
    });

    test("leaves nothing staged, and removes what another process has left", async () => {
      await using database = await engine.create();
      await using store = await openNotifierStore(database.location);
      await poll(store, [first]);
      const left = { subscriber: "transport", updater: "feed", manifest: "sha256:9", vulnerability: 0, is_added: 1 };
      await store.db.insertInto("staged_change").values(left).execute();

      const results = await poll(store, [first, second]);

      expect(await told(store, results)).toEqual([["sha256:1 added B", "sha256:2 added B"]]);
      expect(await store.db.selectFrom("staged_change").selectAll().execute()).toEqual([]);
    });

    test("records the progress of each subscriber, and notifies each in its own mode", async () => {
      await using database = await engine.create();
      await using store = await openNotifierStore(database.location);
      await poll(store, [first]);
      const other = { subscriber: "registry", mode: "full", firstSight: "notify" } as const;

      const late = await poll(store, [first], other);
      const both = await Promise.all([poll(store, [first, second]), poll(store, [first, second], other)]);
      const again = await poll(store, [first, second], other);

      expect(await told(store, late)).toEqual([["sha256:1 added A"]]);
      expect(await Promise.all(both.map((results) => told(store, results)))).toEqual([
        [["sha256:1 added B", "sha256:2 added B"]],
        [["sha256:1 added B", "sha256:2 added B"]],
      ]);
      expect(await told(store, again)).toEqual([]);
      const sets = store.db.selectFrom("notification_set").select(["subscriber", "ref", "is_first"]);
      expect(await sets.orderBy("subscriber").orderBy("ref").execute()).toEqual([
        { subscriber: "registry", ref: "op1", is_first: 1 },
        { subscriber: "registry", ref: "op2", is_first: 0 },
        { subscriber: "transport", ref: "op2", is_first: 0 },
      ]);
      const kinds = (await countJobs(store.db)).map(({ kind, jobs }) => `${kind} ${jobs}`).sort();
      expect(kinds).toEqual(["notifier.deliver 1", "notifier.deliver-registry 2"]);
    });

    test("creates one set when several nodes poll at once", async () => {
      await using database = await engine.create();
      await using store = await openNotifierStore(database.location);
      await poll(store, [first]);

      const results = await Promise.all([1, 2, 3].map(() => poll(store, [first, second])));

      expect(results.flat().some(({ kind }) => kind === "failed")).toBe(false);
      expect(await store.db.selectFrom("notification_set").select("ref").execute()).toEqual([{ ref: "op2" }]);
    });
  },
);
