import {
  engineTitle,
  type Relay,
  type StoreContractTables,
  startRelay,
  storeContractMigrations,
  type TestEngine,
  testEngines,
} from "@plimsoll/testing";
import { sql } from "kysely";
import { describe, expect, it } from "vitest";
import { type OpenStoreOptions, openStore } from "./open.ts";
import type { Store } from "./store.ts";
import type { StoreTrouble } from "./trouble.ts";

const [engine] = testEngines.filter(({ name }) => name === "PostgreSQL");

interface World extends AsyncDisposable {
  readonly store: Store<StoreContractTables>;
  readonly relay: Relay;
  readonly told: readonly string[];
}

async function openWorld(options: Partial<OpenStoreOptions> = {}): Promise<World> {
  await using resources = new AsyncDisposableStack();
  const database = resources.use(await (engine as TestEngine).create());
  const address = new URL(database.location);
  const relay = resources.use(await startRelay(Number(address.port)));
  address.port = String(relay.port);
  const told: string[] = [];
  const onTrouble = ({ kind, code }: StoreTrouble) => void told.push(`${kind} ${code}`);
  const store = resources.use(
    await openStore<StoreContractTables>(address.href, {
      migrations: [storeContractMigrations],
      onTrouble,
      ...options,
    }),
  );
  resources.defer(() => relay.restore());
  const owned = resources.move();
  return { store, relay, told, [Symbol.asyncDispose]: () => owned.disposeAsync() };
}

async function countAsleep({ db }: World["store"]): Promise<unknown> {
  const query = sql<{ asleep: number }>`select count(*) as asleep from pg_stat_activity
    where datname = current_database() and query like 'select pg_sleep%'`;
  return (await query.execute(db)).rows[0]?.asleep;
}

const unavailable = { name: "StoreError", code: "unavailable", retryAfterSeconds: 5 };

describe.skipIf(engine?.skip !== undefined)(`openStore on ${engineTitle(engine as TestEngine)}`, () => {
  it("survives the end of connections that are in use", async () => {
    await using world = await openWorld();
    const { store, relay, told } = world;
    const held = Promise.withResolvers<void>();
    const transactions = [1, 2, 3].map(() =>
      store.transaction(async (db) => {
        await sql`select 1`.execute(db);
        await held.promise;
        await sql`select 1`.execute(db);
      }),
    );
    const asleep = store.transaction((db) => sql`select pg_sleep(30)`.execute(db));
    const lock = await store.tryLock("held", { clock: { now: () => 0 }, leaseSeconds: 30 });
    await store.db.selectFrom("note").selectAll().execute();

    relay.cut();
    held.resolve();
    const ends = await Promise.allSettled([...transactions, asleep]);
    await expect(store.db.selectFrom("note").selectAll().execute()).rejects.toMatchObject(unavailable);
    await expect(lock?.renew()).rejects.toMatchObject({ code: "lock_lost" });
    relay.restore();

    expect(ends.map((end) => end.status === "rejected" && end.reason.code)).toEqual(Array(4).fill("unavailable"));
    expect(await store.db.selectFrom("note").selectAll().execute()).toEqual([]);
    expect(await store.tryLock("other", { clock: { now: () => 0 }, leaseSeconds: 30 })).toBeDefined();
    expect(told).toEqual(["began unavailable", "ended unavailable"]);
  });

  it("survives pg_terminate_backend of every connection", async () => {
    await using world = await openWorld();
    const { store } = world;
    const asleep = [1, 2, 3].map(() => store.transaction((db) => sql`select pg_sleep(30)`.execute(db)));
    const ends = Promise.allSettled(asleep);
    await expect.poll(() => countAsleep(store)).toBe(3);

    await sql`select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()`.execute(
      store.db,
    );

    expect((await ends).map((end) => end.status === "rejected" && end.reason.code)).toEqual(
      Array(3).fill("unavailable"),
    );
    expect(await store.db.selectFrom("note").selectAll().execute()).toEqual([]);
  });

  it("gives up a silent server and closes that connection", async () => {
    await using world = await openWorld({ postgres: { statementSeconds: 1, connectSeconds: 1, poolSize: 1 } });
    const { store, relay } = world;

    relay.freeze();
    await expect(store.db.selectFrom("note").selectAll().execute()).rejects.toMatchObject(unavailable);
    await expect(store.db.selectFrom("note").selectAll().execute()).rejects.toMatchObject(unavailable);
    relay.restore();

    expect(await store.db.selectFrom("note").selectAll().execute()).toEqual([]);
  });

  it("turns off the server's JIT compilation, which takes longer than our statements", async () => {
    await using world = await openWorld({});

    expect((await sql`show jit`.execute(world.store.db)).rows).toEqual([{ jit: "off" }]);
  });

  it("cancels statements and waits for locks that take too long", async () => {
    await using world = await openWorld({ postgres: { statementSeconds: 2, lockSeconds: 1 } });
    const { store, told } = world;

    await expect(sql`select pg_sleep(30)`.execute(store.db)).rejects.toMatchObject({ code: "timed_out" });
    await store.transaction(async (first) => {
      await sql`lock table note`.execute(first);
      await expect(store.db.selectFrom("note").selectAll().execute()).rejects.toMatchObject({ code: "timed_out" });
    });

    expect(told).toEqual([]);
  });

  it("keeps reading while the database is read-only, and reports that once", async () => {
    await using world = await openWorld({ postgres: { poolSize: 1 } });
    const { store, told } = world;
    const addNote = (id: string) => sql`insert into note (id, seen_at) values (${id}, 1)`.execute(store.db);

    await sql`set default_transaction_read_only = on`.execute(store.db);
    for (const id of ["a", "b"]) await expect(addNote(id)).rejects.toMatchObject({ code: "read_only" });
    expect(await store.db.selectFrom("note").selectAll().execute()).toEqual([]);
    await sql`set default_transaction_read_only = off`.execute(store.db);
    await addNote("c");

    expect(told).toEqual(["began read_only", "ended read_only"]);
  });

  it("waits for a server that does not run yet, but not for a database that does not exist", async () => {
    await using database = await (engine as TestEngine).create();
    const address = new URL(database.location);
    await using relay = await startRelay(Number(address.port));
    address.port = String(relay.port);
    relay.cut();
    const retries: string[] = [];
    const open = (location: string) =>
      openStore<StoreContractTables>(location, {
        migrations: [storeContractMigrations],
        patience: {
          seconds: 30,
          onRetry: ({ code }) => {
            retries.push(code);
            relay.restore();
          },
        },
      });

    await using _store = await open(address.href);
    address.pathname = "/there-is-no-such-database";
    await expect(open(address.href)).rejects.toMatchObject({ code: "cannot_open" });

    expect(retries).toEqual(["unavailable"]);
  });
});
