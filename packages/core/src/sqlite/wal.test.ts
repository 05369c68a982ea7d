import { describe, expect, it } from "vitest";
import { decodeSqliteFile } from "./file.ts";
import { buildSqlite } from "./fixtures/build-sqlite.ts";
import { rowsOf } from "./fixtures/rows-of.ts";
import { signWal } from "./fixtures/sign-wal.ts";
import { overlayWal } from "./wal.ts";

const frameBytes = 24 + 4096;

/** Rows 1 to 100 in the main file; a transaction that deletes the even ones and one that adds row 1000 in the log. */
const built = buildSqlite((database) => {
  database.exec("PRAGMA journal_mode = WAL; CREATE TABLE t (id INTEGER PRIMARY KEY, value)");
  const insert = database.prepare("INSERT INTO t VALUES (?, ?)");
  for (let id = 1; id <= 100; id++) insert.run(id, new Uint8Array(500).fill(id));
  database.exec("PRAGMA wal_checkpoint(TRUNCATE); DELETE FROM t WHERE id % 2 = 0");
  insert.run(1000, new Uint8Array(50_000).fill(7));
});
const all = Array.from({ length: 100 }, (_, index) => index + 1);
const odd = all.filter((id) => id % 2 === 1);

describe("overlayWal", () => {
  it("puts the committed transactions of the log on top of the main file", () => {
    expect(idsWith(new Uint8Array(0))).toEqual(all);
    expect(idsWith(built.wal)).toEqual([...odd, 1000]);
  });

  it("takes checksums over big-endian words as well", () => {
    expect(signWal(built.wal, { pageSize: 4096, littleEndianWords: true })).toEqual(built.wal);
    expect(idsWith(signWal(built.wal, { pageSize: 4096, littleEndianWords: false }))).toEqual([...odd, 1000]);
  });

  it("takes nothing of a transaction whose last frame is missing", () => {
    expect(idsWith(built.wal.subarray(0, -frameBytes))).toEqual(odd);
    expect(idsWith(built.wal.subarray(0, -1))).toEqual(odd);
  });

  it("takes nothing from the first frame on whose checksum is wrong", () => {
    const damaged = built.wal.slice();
    damaged[built.wal.length - frameBytes + 24 + 100] = 1; // in the last frame's page
    expect(idsWith(damaged)).toEqual(odd);

    damaged[32 + 24 + 100] = 1; // in the first frame's page
    expect(idsWith(damaged)).toEqual(all);
  });

  it("takes no frame with other salts: it was there before the log began again", () => {
    const stale = built.wal.slice();
    for (let at = 32; at < stale.length; at += frameBytes) stale.fill(0, at + 8, at + 16);

    expect(idsWith(signWal(stale, { pageSize: 4096, littleEndianWords: true }))).toEqual(all);
  });

  it("ends at the length that the last commit gives the database", () => {
    const shrunk = built.wal.slice();
    new DataView(shrunk.buffer).setUint32(shrunk.length - frameBytes + 4, 3);
    const file = overlayWal(
      decodeSqliteFile(built.bytes),
      signWal(shrunk, { pageSize: 4096, littleEndianWords: true }),
    );

    expect(file.pageCount).toBe(3);
    expect(() => file.page(4)).toThrow("expected a page from 1 to 3, found a reference to page 4");
  });

  it.each([
    ["another magic", 0, /expected 0x377f0682 or 0x377f0683/],
    ["another format", 7, /expected log format 3007000/],
    ["another page size", 10, /expected pages of 4096 bytes/],
    ["a wrong checksum", 24, /checksum of the log's header is wrong/],
  ])("rejects a log with %s", (_, offset, message) => {
    const damaged = built.wal.slice();
    damaged[offset] = ~(damaged[offset] as number); // a fixed value may already be there: salts are random

    expect(() => idsWith(damaged)).toThrow(message);
  });

  it("rejects a log shorter than its header", () => {
    expect(() => idsWith(built.wal.subarray(0, 20))).toThrow(/expected 1 bytes at offset 20/);
  });
});

function idsWith(wal: Uint8Array) {
  return rowsOf({ bytes: built.bytes, wal }, "t").map((row) => row.rowid);
}
