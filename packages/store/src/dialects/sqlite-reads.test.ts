import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { setImmediate as nextTurn } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import type { SqlValue } from "../store.ts";
import { ReadTransaction } from "./sqlite-reads.ts";

/** A file with one table, a connection that reads in shared transactions, and one of another process that writes. */
function openShips() {
  const folder = mkdtempSync(join(tmpdir(), "plimsoll-store-"));
  const path = join(folder, "ships.db");
  const writer = new DatabaseSync(path);
  writer.exec("pragma journal_mode = wal; create table ship (name text)");
  const reader = new DatabaseSync(path);
  const versions: SqlValue[] = [];
  return {
    reader,
    transaction: new ReadTransaction(reader, (version) => versions.push(version)),
    launch: () => writer.exec("insert into ship values ('Argo')"),
    count: () => reader.prepare("select count(*) as ships from ship").get()?.ships,
    /** The number of different versions seen since the last call. */
    seen: () => new Set(versions.splice(0)).size,
    [Symbol.dispose]: () => {
      for (const connection of [reader, writer]) connection.close();
      rmSync(folder, { recursive: true });
    },
  };
}

describe("ReadTransaction", () => {
  it("reads the version once per turn of the event loop, without a transaction", async () => {
    using ships = openShips();
    ships.transaction.checkVersion();
    ships.launch();
    ships.transaction.checkVersion();
    expect([ships.seen(), ships.reader.isTransaction]).toEqual([1, false]);

    await nextTurn();
    ships.transaction.checkVersion();
    ships.transaction.checkVersion();
    expect(ships.seen()).toBe(1);
  });

  it("reports a new version when a read begins after the check", () => {
    using ships = openShips();
    ships.transaction.checkVersion();
    ships.launch();
    ships.transaction.begin();

    expect([ships.seen(), ships.count()]).toEqual([2, 1]);
    ships.transaction.end();
  });

  it("shows one state of the database until the transaction ends", async () => {
    using ships = openShips();
    ships.transaction.begin();
    const before = ships.count();
    ships.launch();
    ships.transaction.begin();
    expect([before, ships.count()]).toEqual([0, 0]);

    await nextTurn();
    expect(ships.reader.isTransaction).toBe(false);
    ships.transaction.begin();
    expect(ships.count()).toBe(1);
    ships.transaction.end();
  });

  it("ends when this process has written", () => {
    using ships = openShips();
    ships.transaction.begin();
    ships.launch();
    ships.transaction.end();
    ships.transaction.checkVersion();

    expect([ships.seen(), ships.count()]).toEqual([2, 1]);
  });
});
