import { mkdtempSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { openFiles, type StoreContractTables, storeContractMigrations } from "@plimsoll/testing";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { openStore } from "../open.ts";
import type { Store } from "../store.ts";
import { LosingDisk } from "./fixtures/losing-disk.ts";
import { WalSync } from "./wal-sync.ts";

const migrations = [storeContractMigrations];
const note = (id: string) => ({ id, text: null, seen_at: 1 });
const add = ({ db }: Store<StoreContractTables>, id: string) => db.insertInto("note").values(note(id)).execute();

describe("WalSync", () => {
  let folder: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), "plimsoll-wal-"));
  });
  afterEach(() => rmSync(folder, { recursive: true }));

  const losingDisk = () => new LosingDisk(join(folder, "notes.db"));

  /** A disk whose syncs the test ends. */
  function heldSyncs() {
    const begun: PromiseWithResolvers<() => void>[] = [];
    const place = (index: number) => (begun[index] ??= Promise.withResolvers());
    const held = {
      begun: 0,
      taken: 0,
      write: async () => {},
      sync: () => new Promise<void>((resolve) => place(held.begun++).resolve(resolve)),
      /** Waits for the next sync to begin. @returns what ends it */
      next: () => place(held.taken++).promise,
    };
    return held;
  }

  async function notesIn(path: string): Promise<ReadonlySet<string>> {
    await using store = await openStore<StoreContractTables>(path, { migrations });
    const rows = await store.db.selectFrom("note").select("id").execute();
    return new Set(rows.map(({ id }) => id));
  }

  it("loses no acknowledged write, whenever the power fails", async () => {
    const disk = losingDisk();
    await using store = await openStore<StoreContractTables>(disk.path, { migrations, logDisk: disk });
    const acknowledged: string[] = [];
    const failures: { readonly path: string; readonly promised: readonly string[] }[] = [];
    const write = async (id: string) => {
      if (id.endsWith("5")) await store.db.insertInto("note").values(note(id)).execute();
      else await store.transaction((db) => db.insertInto("note").values(note(id)).execute());
      acknowledged.push(id);
      if (acknowledged.length % 20 === 1) {
        failures.push({ path: disk.cut(`after-${acknowledged.length}`), promised: [...acknowledged] });
      }
    };

    for (const round of [1, 2, 3]) await Promise.all(Array.from({ length: 30 }, (_, n) => write(`${round}-${n}`)));

    expect(failures).toHaveLength(5);
    for (const { path, promised } of failures) {
      const kept = await notesIn(path);
      expect(promised.filter((id) => !kept.has(id))).toEqual([]);
    }
  });

  it("writes many transactions to disk with one sync", async () => {
    const disk = losingDisk();
    await using store = await openStore<StoreContractTables>(disk.path, { migrations, logDisk: disk });
    disk.syncs = 0;

    const ids = Array.from({ length: 100 }, (_, n) => String(n));
    await Promise.all(ids.map((id) => store.transaction((db) => db.insertInto("note").values(note(id)).execute())));

    expect(disk.syncs).toBeGreaterThan(0);
    expect(disk.syncs).toBeLessThan(50);
  });

  it("syncs neither for reads nor for relaxed writes", async () => {
    const disk = losingDisk();
    await using store = await openStore<StoreContractTables>(disk.path, { migrations, logDisk: disk });
    disk.syncs = 0;

    await store.relaxed.insertInto("note").values(note("seen")).execute();
    await store.transaction((db) => db.selectFrom("note").selectAll().execute());

    expect(disk.syncs).toBe(0);
    expect(await store.db.selectFrom("note").select("id").execute()).toEqual([{ id: "seen" }]);
  });

  it("acknowledges no write that the disk rejects, and none after it that a power failure would lose", async () => {
    const disk = losingDisk();
    await using store = await openStore<StoreContractTables>(disk.path, { migrations, logDisk: disk });

    disk.fails = true;
    for (const id of ["a", "b"]) await expect(add(store, id)).rejects.toMatchObject({ code: "unavailable" });
    disk.fails = false;
    await add(store, "c");
    const soon = disk.cut("soon");
    await add(store, "d");

    expect(await notesIn(soon)).toEqual(new Set(["a", "b", "c"]));
    expect(await notesIn(disk.cut("later"))).toEqual(new Set(["a", "b", "c", "d"]));
  });

  it("does not checkpoint while the log has gaps on disk", async () => {
    const disk = losingDisk();
    await using store = await openStore<StoreContractTables>(disk.path, { migrations, logDisk: disk });
    const pages = () => statSync(disk.path).size;
    const before = pages();
    const large = { ...note("large"), text: "x".repeat(32_000_000) };

    disk.fails = true;
    await expect(add(store, "a")).rejects.toMatchObject({ code: "unavailable" });
    await expect(store.db.insertInto("note").values(large).execute()).rejects.toMatchObject({ code: "unavailable" });
    expect(pages()).toBe(before);
    disk.fails = false;
    await add(store, "b");
    await add(store, "c");

    expect(pages()).toBeGreaterThan(before);
  });

  it("syncs the log of a killed process before it acknowledges a write", async () => {
    const disk = losingDisk();
    await using killed = await openStore<StoreContractTables>(disk.path, { migrations, logDisk: disk });
    await add(killed, "a");
    disk.fails = true;
    await expect(add(killed, "b")).rejects.toMatchObject({ code: "unavailable" });
    const next = disk.afterKill("next.db");

    await using store = await openStore<StoreContractTables>(next.path, { migrations, logDisk: next });
    await add(store, "c");

    expect(await notesIn(next.cut("later"))).toEqual(new Set(["a", "b", "c"]));
  });

  it("acknowledges no write after one that another process could not sync", async () => {
    const disk = losingDisk();
    await using first = await openStore<StoreContractTables>(disk.path, { migrations, logDisk: disk });
    const others = new DatabaseSync(disk.path);
    others.exec("pragma wal_checkpoint(truncate)"); // so that the next process finds an empty log
    others.close();
    await using second = await openStore<StoreContractTables>(disk.path, { migrations, logDisk: disk });
    disk.fails = true;
    await expect(add(first, "a")).rejects.toMatchObject({ code: "unavailable" });
    disk.fails = false;

    await add(second, "b");

    expect(await notesIn(disk.cut("later"))).toEqual(new Set(["a", "b"]));
  });

  it("acknowledges no more writes once the system has lost a part of the log, and reports what to do", async () => {
    const disk = losingDisk();
    const store = await openStore<StoreContractTables>(disk.path, { migrations, logDisk: disk });
    await add(store, "a");
    disk.fails = true;
    await expect(add(store, "b")).rejects.toMatchObject({ code: "unavailable" });
    disk.fails = false;
    disk.evict();

    await expect(add(store, "c")).rejects.toMatchObject({ message: expect.stringContaining("start again") });
    await expect(add(store, "d")).rejects.toMatchObject({ code: "unavailable" });
    const next = disk.afterKill("next.db");
    await using started = await openStore<StoreContractTables>(next.path, { migrations, logDisk: next });
    await add(started, "e");

    expect(await notesIn(next.cut("later"))).toEqual(new Set(["a", "e"]));
    await store.close();
  });

  it("starts another sync for writes during a running one", async () => {
    const path = join(folder, "log.db");
    writeFileSync(`${path}-wal`, "");
    const syncs = heldSyncs();
    const wal = new WalSync(
      path,
      { hold: (work) => work(0), allowCheckpoints: () => {}, forbidCheckpoints: () => {} },
      syncs,
    );

    const first = wal.sync();
    (await syncs.next())(); // of the folder
    const finishFirst = await syncs.next();
    const [second, third] = [wal.sync(), wal.sync()];
    expect(syncs.begun).toBe(2);
    finishFirst();
    await first;
    (await syncs.next())();
    await Promise.all([second, third]);

    expect(syncs.begun).toBe(3);
    await wal.close();
  });

  const openLogs = () => openFiles(folder);
  const linux = it.skipIf(process.platform !== "linux");

  linux("ends the syncs that wait when it is closed, and leaves no file open", async () => {
    const path = join(folder, "log.db");
    writeFileSync(`${path}-wal`, "");
    const syncs = heldSyncs();
    const wal = new WalSync(
      path,
      { hold: (work) => work(0), allowCheckpoints: () => {}, forbidCheckpoints: () => {} },
      syncs,
    );
    const first = wal.sync();
    (await syncs.next())(); // of the folder
    const finishFirst = await syncs.next();
    const second = wal.sync();

    const closed = wal.close();
    finishFirst();
    (await syncs.next())();
    await Promise.all([first, second, closed]);

    expect(openLogs()).toEqual([]);
    await expect(wal.sync()).rejects.toThrow("the database is closed");
  });

  linux("leaves no file open where its folder cannot be synced", async () => {
    const path = join(folder, "log.db");
    writeFileSync(`${path}-wal`, "");
    const disk = { write: async () => {}, sync: () => Promise.reject(new Error("no disk")) };
    const wal = new WalSync(
      path,
      { hold: (work) => work(0), allowCheckpoints: () => {}, forbidCheckpoints: () => {} },
      disk,
    );

    await expect(wal.sync()).rejects.toThrow("no disk");

    expect(openLogs()).toEqual([]);
    await wal.close();
  });
});
