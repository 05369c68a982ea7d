import { describe, expect, it } from "vitest";
import { buildSqlite } from "../../sqlite/fixtures/build-sqlite.ts";
import { buildBdb } from "./fixtures/build-bdb.ts";
import { buildNdb } from "./fixtures/build-ndb.ts";
import { linesOf, textRecord } from "./fixtures/records-of.ts";
import { readRpmDatabase } from "./read-packages.ts";

const records = [textRecord(1, "one"), textRecord(4, "four ".repeat(2000))];
const lines = ["1:one", `4:${"four ".repeat(2000)}`];
const schema = "CREATE TABLE 'Packages' (hnum INTEGER PRIMARY KEY AUTOINCREMENT,blob BLOB NOT NULL)";

/** A database whose newest transaction, which erases package 4, is only in the log. */
const logged = buildSqlite((database) => {
  database.exec(`PRAGMA journal_mode = WAL; ${schema}`);
  for (const { number, blob } of records) database.prepare("INSERT INTO Packages VALUES (?, ?)").run(number, blob);
  database.exec("PRAGMA wal_checkpoint(TRUNCATE); DELETE FROM Packages WHERE hnum = 4");
});

describe("readRpmDatabase", () => {
  it.each([
    ["SQLite", logged.bytes],
    ["Berkeley DB", buildBdb(records)],
    ["a big-endian Berkeley DB", buildBdb(records, { littleEndian: false })],
    ["NDB", buildNdb(records)],
  ])("recognizes %s by its content", (_, bytes) => {
    expect(linesOf(readRpmDatabase(bytes))).toEqual(lines);

    const elsewhere = { length: bytes.length, subarray: (start: number, end: number) => bytes.slice(start, end) };
    expect(linesOf(readRpmDatabase(elsewhere))).toEqual(lines);
  });

  it("applies the write-ahead log", () => {
    expect(linesOf(readRpmDatabase(logged.bytes, { wal: logged.wal }))).toEqual(lines.slice(0, 1));
    expect(linesOf(readRpmDatabase(logged.bytes, { wal: new Uint8Array(0) }))).toEqual(lines);
  });

  it("reads the main file and reports a damaged log", () => {
    const [damage, ...others] = linesOf(readRpmDatabase(logged.bytes, { wal: logged.wal.with(0, 0) }));

    expect(damage).toMatch(/^write-ahead log: expected 0x377f0682 or 0x377f0683/);
    expect(others).toEqual(lines);
  });

  it("reports a row without a blob", () => {
    const { bytes } = buildSqlite((database) => {
      database.exec(`${schema}; INSERT INTO Packages VALUES (1, 'text'), (2, x'61')`);
      database.exec("INSERT INTO Packages VALUES (4611686018427387904, x'62')");
    });

    expect(linesOf(readRpmDatabase(bytes))).toEqual([
      "record 1: expected a blob in the second column",
      "2:a",
      "record 4611686018427387904: expected a record number of at most 53 bits",
    ]);
  });

  it("refuses an empty table of packages beside an index that names some", () => {
    const names = "CREATE TABLE 'Name' (key TEXT NOT NULL, hnum INTEGER NOT NULL, idx INTEGER NOT NULL)";
    const build = (rows: string) => buildSqlite((database) => database.exec(`${schema}; ${names}; ${rows}`)).bytes;

    const emptied = build("INSERT INTO Name VALUES ('bash', 1, 0)");

    expect(() => linesOf(readRpmDatabase(emptied))).toThrow(/whose names the table Name lists, found an empty table/);
    expect(linesOf(readRpmDatabase(build("")))).toEqual([]);
  });

  it.each([
    ["an SQLite database without packages", buildSqlite((database) => database.exec("CREATE TABLE t (a)")).bytes],
    ["an empty file", new Uint8Array(0)],
    ["text", new TextEncoder().encode("asdf".repeat(200))],
  ])("rejects %s", (_, bytes) => {
    expect(() => linesOf(readRpmDatabase(bytes))).toThrow(
      /expected a table Packages, found t|expected an SQLite, Berkeley/,
    );
  });
});
