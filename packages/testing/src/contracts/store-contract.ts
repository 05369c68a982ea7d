import assert from "node:assert/strict";
import { setImmediate as nextTurn } from "node:timers/promises";
import { withoutUndefined } from "@plimsoll/core/internal";
import type { MigrationSet, Store } from "@plimsoll/store";
import type { ContractCase } from "./contract.ts";

/** The table of {@link storeContractMigrations}. */
export interface StoreContractTables {
  note: { id: string; text: string | null; seen_at: number };
}

/** The schema that {@link storeContract} uses. */
export const storeContractMigrations: MigrationSet = {
  service: "notes",
  migrations: [
    {
      name: "0001-note",
      async up(db) {
        await db.schema
          .createTable("note")
          .addColumn("id", "text", (column) => column.primaryKey().notNull())
          .addColumn("text", "text")
          .addColumn("seen_at", "bigint", (column) => column.notNull())
          .execute();
      },
    },
  ],
};

const clock = { now: () => 1_700_000_000_000 };

/** What every store guarantees, whatever its engine. Each case gets a store with an empty table `note`. */
export const storeContract: readonly ContractCase<Store<StoreContractTables>>[] = [
  {
    name: "stores text, null and instants beyond 32 bits unchanged",
    async run({ db }) {
      const note = { id: "ä'\"\\", text: null, seen_at: 1_763_600_000_123 };

      await db.insertInto("note").values(note).execute();

      const rows = await db.selectFrom("note").selectAll().execute();
      assert.deepEqual(
        rows.map((row) => ({ ...row })),
        [note],
      );
    },
  },
  {
    name: "returns counts as numbers",
    async run({ db }) {
      await insert(db, "a");

      const row = await db
        .selectFrom("note")
        .select((query) => query.fn.countAll<number>().as("notes"))
        .executeTakeFirst();

      assert.equal(row?.notes, 1);
    },
  },
  {
    name: "rolls back a transaction that throws",
    async run({ db, transaction }) {
      const failing = transaction(async (trx) => {
        await insert(trx, "a");
        throw new Error("changed my mind");
      });

      await assert.rejects(failing, /changed my mind/);
      assert.deepEqual(await ids(db), []);
    },
  },
  {
    name: "runs transactions that begin at the same time one after another",
    async run({ db, transaction }) {
      const append = (id: string) =>
        transaction(async (trx) => {
          await insert(trx, id);
          await insert(trx, `${id}2`);
        });

      await Promise.all(["a", "b", "c", "d"].map(append));

      assert.deepEqual(await ids(db), ["a", "a2", "b", "b2", "c", "c2", "d", "d2"]);
    },
  },
  {
    name: "reads what it has just written, in and outside of transactions",
    async run({ db, transaction }) {
      const seen: (readonly string[])[] = [await ids(db)];
      await insert(db, "a");
      seen.push(await ids(db));
      await transaction((trx) => insert(trx, "b"));
      seen.push(await ids(db));
      await assert.rejects(transaction((trx) => insert(trx, "b")));
      seen.push(await ids(db));

      assert.deepEqual(seen, [[], ["a"], ["a", "b"], ["a", "b"]]);
    },
  },
  {
    name: "works after a failed transaction",
    async run({ db, transaction }) {
      await insert(db, "a");

      await assert.rejects(transaction((trx) => insert(trx, "a")));
      await transaction((trx) => insert(trx, "b"));

      assert.deepEqual(await ids(db), ["a", "b"]);
    },
  },
  {
    name: "rolls a savepoint back and keeps the rest",
    async run({ db, transaction }) {
      await transaction(async (trx) => {
        await insert(trx, "a");
      });
      const controlled = await db.startTransaction().execute();
      await insert(controlled, "b");
      const savepoint = await controlled.savepoint("before_c").execute();
      await insert(savepoint, "c");
      await savepoint.rollbackToSavepoint("before_c").execute();
      await controlled.commit().execute();

      assert.deepEqual(await ids(db), ["a", "b"]);
    },
  },
  {
    name: "returns rows as arrays from a prepared read, each time those that are committed",
    async run({ db, kind, prepareRead }) {
      const read = prepareRead(
        `select id, text, seen_at from note where id >= ${kind === "sqlite" ? "?" : "$1"} order by id`,
      );
      await insert(db, "a");
      const first = await read("a");
      await insert(db, "b");

      assert.deepEqual(first, [["a", null, 1]]);
      assert.deepEqual(await read("a"), [
        ["a", null, 1],
        ["b", null, 1],
      ]);
      assert.deepEqual(await read("b"), [["b", null, 1]]);
    },
  },
  {
    name: "gives a lock to one holder at a time, and again after its release",
    async run(store) {
      const first = await store.tryLock("feeds", { clock, leaseSeconds: 60 });
      const second = await store.tryLock("feeds", { clock, leaseSeconds: 60 });
      const other = await store.tryLock("mirror", { clock, leaseSeconds: 60 });
      const holder = await store.findLockHolder("feeds");

      assert.ok(first !== undefined && other !== undefined);
      assert.equal(second, undefined);
      assert.equal(holder.processId, process.pid);
      await first.renew();
      await first.release();
      assert.deepEqual(withoutUndefined((await store.findLockHolder("feeds")) ?? {}), {});
      await other.release();
      const again = await store.tryLock("feeds", { clock, leaseSeconds: 60 });
      assert.ok(again !== undefined);
      await again.release();
    },
  },
  {
    name: "does not renew a lock that was released",
    async run(store) {
      const lock = await store.tryLock("feeds", { clock, leaseSeconds: 60 });
      await lock?.release();

      await assert.rejects(async () => lock?.renew(), { code: "lock_lost" });
    },
  },
];

/** What two stores on one database guarantee. */
export const sharedStoreContract: readonly ContractCase<
  readonly [Store<StoreContractTables>, Store<StoreContractTables>]
>[] = [
  {
    name: "reads what is committed while the other has a transaction open",
    async run([writer, reader]) {
      await insert(writer.db, "a");

      await writer.transaction(async (trx) => {
        await insert(trx, "b");
        assert.deepEqual(await ids(reader.db), ["a"]);
        assert.deepEqual(await ids(writer.db), ["a"]);
        assert.deepEqual(await ids(trx), ["a", "b"]);
      });

      assert.deepEqual(await ids(writer.db), ["a", "b"]);
      await nextTurn();
      assert.deepEqual(await ids(reader.db), ["a", "b"]);
    },
  },
  {
    name: "waits for the other's transaction without making it fail",
    async run([one, other]) {
      const began = Promise.withResolvers<void>();
      const slow = one.transaction(async (trx) => {
        await insert(trx, "a");
        began.resolve();
        for (let i = 0; i < 50; i++) await insert(trx, `a${i}`);
      });
      await began.promise;

      await other.transaction((trx) => insert(trx, "b"));
      await insert(other.db, "c");
      await slow;

      assert.equal((await ids(one.db)).length, 53);
    },
  },
  {
    name: "excludes the other from a lock",
    async run([one, other]) {
      await using mine = await one.tryLock("feeds", { clock, leaseSeconds: 60 });

      assert.ok(mine !== undefined);
      assert.equal(await other.tryLock("feeds", { clock, leaseSeconds: 60 }), undefined);
      await mine.release();
      const theirs = await other.tryLock("feeds", { clock, leaseSeconds: 60 });
      assert.ok(theirs !== undefined);
      await theirs.release();
    },
  },
];

type Queries = Store<StoreContractTables>["db"];

async function insert(db: Queries, id: string): Promise<void> {
  await db.insertInto("note").values({ id, text: null, seen_at: 1 }).execute();
}

async function ids(db: Queries): Promise<string[]> {
  const rows = await db.selectFrom("note").select("id").orderBy("id").execute();
  return rows.map(({ id }) => id);
}
