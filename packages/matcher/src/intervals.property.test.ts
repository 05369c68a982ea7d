import type { Advisory } from "@plimsoll/core";
import {
  engineTitle,
  fakeUpdater,
  fullTestRuns,
  longTestEngines,
  openTestStore,
  testAdvisory,
} from "@plimsoll/testing";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { noFeeds } from "./fixtures/test-stores.ts";
import { advisoriesOf } from "./store/advisories.ts";
import { collectGarbage } from "./store/collect-garbage.ts";
import { deleteOperation } from "./store/delete-operation.ts";
import { matcherMigrations } from "./store/migrations/all.ts";
import type { MatcherStore, MatcherTables } from "./store/tables.ts";
import { diffOperations } from "./store/update-diff.ts";
import { listOperations } from "./store/update-operations.ts";
import { updateFeeds } from "./update-feeds.ts";

/** A snapshot as the model sees it: which version each advisory is fixed in. */
type Snapshot = Readonly<Record<string, number>>;

const names = ["a", "b", "c", "d"];
const snapshots = fc.dictionary(fc.constantFrom(...names), fc.integer({ min: 1, max: 3 }), { minKeys: 1, maxKeys: 4 });
const runs = fc.array(fc.tuple(fc.constantFrom("one", "two"), snapshots), { minLength: 1, maxLength: 8 });

/** An operation of the model. */
interface ModelOperation {
  readonly ref: string;
  readonly updater: string;
  readonly at: number;
  readonly snapshot: Snapshot;
}

function advisoriesFor(updater: string, snapshot: Snapshot): Advisory[] {
  return Object.entries(snapshot).map(([name, fixed]) =>
    testAdvisory({
      id: `${updater}/${name}`,
      updater,
      packageName: name,
      ecosystem: `eco:${fixed}`,
      ranges: [{ fixed: `${fixed}` }],
      description: `text ${fixed}`,
    }),
  );
}

/** Runs the updates one second apart and returns the model. */
async function replay(store: MatcherStore, steps: readonly (readonly [string, Snapshot])[]): Promise<ModelOperation[]> {
  const model: ModelOperation[] = [];
  for (const [index, [updater, snapshot]] of steps.entries()) {
    const at = 1_000 * (index + 1);
    const items = advisoriesFor(updater, snapshot);
    const [result] = await updateFeeds(
      { updaters: [fakeUpdater(updater, { kind: "snapshot", fingerprint: `${at}`, items })], enrichers: [] },
      {
        store,
        feeds: noFeeds,
        clock: { now: () => at },
      },
    );
    if (result?.kind !== "updated") throw new Error(`unexpected ${JSON.stringify(result)}`);
    model.push({ ref: result.operation.ref, updater, at, snapshot });
  }
  return model;
}

/** `id@fixed` of everything in the store, by look-up and by details; both agree. */
async function contents(store: MatcherStore, asOf?: number): Promise<string[]> {
  const source = advisoriesOf(store, asOf === undefined ? {} : { asOf });
  const keys = [1, 2, 3].flatMap((fixed) => names.map((name) => ({ ecosystem: `eco:${fixed}`, name })));
  const rules = await source.lookup(keys);
  const details = await source.details(rules.map(({ id }) => id));
  expect(details.map(({ id, ranges }) => ({ id, ranges }))).toEqual(rules.map(({ id, ranges }) => ({ id, ranges })));
  for (const { description, ranges } of details) expect(description).toBe(`text ${ranges[0]?.fixed}`);
  return rules.map(({ id, ranges }) => `${id}@${ranges[0]?.fixed}`).sort();
}

function expected(...operations: readonly (ModelOperation | undefined)[]): string[] {
  return operations
    .flatMap((operation) =>
      Object.entries(operation?.snapshot ?? {}).map(([name, fixed]) => `${operation?.updater}/${name}@${fixed}`),
    )
    .sort();
}

const latest = (model: readonly ModelOperation[], updater: string, until = Number.POSITIVE_INFINITY) =>
  model.findLast((operation) => operation.updater === updater && operation.at <= until);

async function ids(set: AsyncIterable<Advisory>): Promise<string[]> {
  const found: string[] = [];
  for await (const { id, ranges } of set) found.push(`${id}@${ranges[0]?.fixed}`);
  return found.sort();
}

async function orphans({ db }: MatcherStore): Promise<number> {
  const used = db.selectFrom("advisory").select("text_id");
  return (await db.selectFrom("shared_text").select("id").where("id", "not in", used).execute()).length;
}

const plain = longTestEngines;

describe.each(plain.map((engine) => ({ engine, title: engineTitle(engine) })))(
  "validity intervals on $title",
  ({ engine }) => {
    const numRuns = engine.name === "PostgreSQL" ? 8 : fullTestRuns(60);

    /** Checks a promise for random histories, each in a database of its own. */
    async function holds(promise: (store: MatcherStore, model: ModelOperation[], seed: number) => Promise<void>) {
      await fc.assert(
        fc.asyncProperty(runs, fc.nat(), async (steps, seed) => {
          await using database = await engine.create();
          await using store = await openTestStore<MatcherTables>(database.location, {
            migrations: [matcherMigrations],
          });
          await promise(store, await replay(store, steps), seed);
        }),
        { numRuns, seed: 20_261_121 },
      );
    }

    it.skipIf(engine.skip !== undefined)("show each operation's snapshot at its time", async () => {
      await holds(async (store, model) => {
        for (const { at } of model) {
          expect(await contents(store, at)).toEqual(expected(latest(model, "one", at), latest(model, "two", at)));
        }
        expect(await contents(store)).toEqual(expected(latest(model, "one"), latest(model, "two")));
      });
    });

    it.skipIf(engine.skip !== undefined)("make a diff the difference of two snapshots", async () => {
      await holds(async (store, model) => {
        for (const previous of [undefined, ...model]) {
          for (const current of model) {
            const refs = { current: current.ref, previous: previous?.ref };
            const { added, removed } = await diffOperations(store, refs);
            const before = expected(previous);
            const now = expected(current);
            expect(await ids(added)).toEqual(now.filter((entry) => !before.includes(entry)));
            expect(await ids(removed)).toEqual(before.filter((entry) => !now.includes(entry)));
            expect(added.size).toBe((await ids(added)).length);
          }
        }
      });
    });

    it.skipIf(engine.skip !== undefined)("survive the collection of garbage", async () => {
      await holds(async (store, model, seed) => {
        const keep = 1 + (seed % 3);
        const maxOperations = 1 + (seed % 4);
        for (let rounds = 0; ; rounds++) {
          expect(rounds).toBeLessThanOrEqual(model.length);
          const { remaining } = await collectGarbage(store, { keep, maxOperations });
          if (remaining === 0) break;
        }
        const kept = ["one", "two"].flatMap((updater) => model.filter((each) => each.updater === updater).slice(-keep));

        expect((await listOperations(store)).map(({ ref }) => ref).sort()).toEqual(kept.map(({ ref }) => ref).sort());
        for (const { at } of kept) {
          expect(await contents(store, at)).toEqual(expected(latest(kept, "one", at), latest(kept, "two", at)));
        }
        expect(await contents(store)).toEqual(expected(latest(kept, "one"), latest(kept, "two")));
        const shown = new Set(kept.flatMap((operation) => expected(operation)));
        expect(await rowCount(store)).toBeGreaterThanOrEqual(shown.size);
        if (keep === 1) expect(await rowCount(store)).toBe(shown.size);
        expect(await orphans(store)).toBe(0);
      });
    });

    it.skipIf(engine.skip !== undefined)("survive the deletion of any operation", async () => {
      await holds(async (store, model, seed) => {
        const left = [...model];
        for (let turn = seed; left.length > 0; turn = Math.floor(turn / 7)) {
          const [gone] = left.splice(turn % left.length, 1);
          expect(await deleteOperation(store, gone?.ref ?? "")).toBe(true);
          for (const { at } of left) {
            expect(await contents(store, at)).toEqual(expected(latest(left, "one", at), latest(left, "two", at)));
          }
          expect(await contents(store)).toEqual(expected(latest(left, "one"), latest(left, "two")));
        }
        expect(await rowCount(store)).toBe(0);
        expect(await orphans(store)).toBe(0);
        expect(await deleteOperation(store, "unknown")).toBe(false);
      });
    });
  },
);

async function rowCount({ db }: MatcherStore): Promise<number> {
  return (await db.selectFrom("advisory").select("advisory_id").execute()).length;
}
