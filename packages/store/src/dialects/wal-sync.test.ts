import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import type { FileHandle } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type StoreContractTables, storeContractMigrations } from "@plimsoll/testing";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { openStore } from "../open.ts";
import { WalSync } from "./wal-sync.ts";

const migrations = [storeContractMigrations];
const note = (id: string) => ({ id, text: null, seen_at: 1 });

describe("WalSync", () => {
  let folder: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), "plimsoll-wal-"));
  });
  afterEach(() => rmSync(folder, { recursive: true }));

  /** A disk that keeps of the log only what was synced. */
  function losingDisk() {
    const path = join(folder, "notes.db");
    const disk = {
      path,
      syncs: 0,
      syncedBytes: 0,
      fails: false,
      syncFile: async (file: FileHandle) => {
        const { size } = await file.stat();
        const isLog = (await file.stat()).isFile();
        if (isLog && disk.fails) throw new Error("EIO");
        await file.datasync();
        if (isLog) disk.syncs++;
        if (isLog) disk.syncedBytes = size;
      },
      /** What is there after a power failure of this moment. */
      cut(name: string) {
        writeFileSync(join(folder, name), readFileSync(path));
        writeFileSync(join(folder, `${name}-wal`), readFileSync(`${path}-wal`).subarray(0, disk.syncedBytes));
        return join(folder, name);
      },
    };
    return disk;
  }

  /** A disk whose syncs end when the test says so. */
  function heldSyncs() {
    const begun: PromiseWithResolvers<() => void>[] = [];
    const place = (index: number) => (begun[index] ??= Promise.withResolvers());
    const held = {
      begun: 0,
      taken: 0,
      syncFile: () => new Promise<void>((resolve) => place(held.begun++).resolve(resolve)),
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

  it("loses nothing that was acknowledged, whenever the power fails", async () => {
    const disk = losingDisk();
    await using store = await openStore<StoreContractTables>(disk.path, { migrations, syncFile: disk.syncFile });
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

  it("brings many transactions to disk with one sync", async () => {
    const disk = losingDisk();
    await using store = await openStore<StoreContractTables>(disk.path, { migrations, syncFile: disk.syncFile });
    disk.syncs = 0;

    const ids = Array.from({ length: 100 }, (_, n) => String(n));
    await Promise.all(ids.map((id) => store.transaction((db) => db.insertInto("note").values(note(id)).execute())));

    expect(disk.syncs).toBeGreaterThan(0);
    expect(disk.syncs).toBeLessThan(50);
  });

  it("syncs neither for reads nor for writes that nobody is told of", async () => {
    const disk = losingDisk();
    await using store = await openStore<StoreContractTables>(disk.path, { migrations, syncFile: disk.syncFile });
    disk.syncs = 0;

    await store.relaxed.insertInto("note").values(note("seen")).execute();
    await store.transaction((db) => db.selectFrom("note").selectAll().execute());

    expect(disk.syncs).toBe(0);
    expect(await store.db.selectFrom("note").select("id").execute()).toEqual([{ id: "seen" }]);
  });

  it("acknowledges nothing that the disk does not take", async () => {
    const disk = losingDisk();
    await using store = await openStore<StoreContractTables>(disk.path, { migrations, syncFile: disk.syncFile });

    disk.fails = true;
    const failed = store.transaction((db) => db.insertInto("note").values(note("a")).execute());
    await expect(failed).rejects.toMatchObject({ code: "unavailable" });
    disk.fails = false;
    await store.transaction((db) => db.insertInto("note").values(note("b")).execute());

    expect(await notesIn(disk.cut("later"))).toEqual(new Set(["a", "b"]));
  });

  it("begins a sync of its own for what was written while another ran", async () => {
    const path = join(folder, "log.db");
    writeFileSync(`${path}-wal`, "");
    const syncs = heldSyncs();
    const wal = new WalSync(path, syncs.syncFile);

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
});
