import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { ScanError } from "../errors.ts";
import { decodeSqliteFile } from "./file.ts";
import { buildSqlite } from "./fixtures/build-sqlite.ts";
import { rowsOf } from "./fixtures/rows-of.ts";
import { readTable } from "./table.ts";
import { overlayWal } from "./wal.ts";

const value = fc.oneof(
  fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }),
  fc.double({ noNaN: true, noInteger: true, noDefaultInfinity: true }),
  fc.string({ unit: "grapheme", maxLength: 300 }),
  fc.uint8Array({ maxLength: 3000 }),
  fc.constant(null),
);

describe("readTable", () => {
  it("gives what SQLite gives", () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(value, value), { maxLength: 40 }), fc.constantFrom(512, 4096), (rows, pageSize) => {
        const expected: unknown[][] = [];
        const file = buildSqlite((database) => {
          database.exec(`PRAGMA page_size = ${pageSize}; PRAGMA journal_mode = WAL; CREATE TABLE t (a, b)`);
          const insert = database.prepare("INSERT INTO t VALUES (?, ?)");
          for (const row of rows) insert.run(...row);
          const select = database.prepare("SELECT a, b FROM t ORDER BY rowid");
          select.setReadBigInts(true);
          expected.push(...select.all().map(({ a, b }) => [a, b]));
        });

        expect(rowsOf(file, "t").map((row) => row.values.map(asSqlite))).toEqual(expected);
      }),
      { seed: 20, numRuns: 50 },
    );
  });

  it("throws nothing but ScanError, and soon, whatever bytes are damaged", () => {
    const whole = buildSqlite((database) => {
      database.exec("PRAGMA page_size = 512; PRAGMA journal_mode = WAL; CREATE TABLE t (value)");
      const insert = database.prepare("INSERT INTO t VALUES (?)");
      for (let size = 0; size < 60; size++) insert.run(new Uint8Array(size * 40).fill(size));
      database.exec("PRAGMA wal_checkpoint(TRUNCATE); DELETE FROM t WHERE rowid < 30");
    });
    const damage = fc.array(fc.tuple(fc.nat(whole.bytes.length - 1), fc.nat(255)), { minLength: 1, maxLength: 60 });

    fc.assert(
      fc.property(damage, fc.boolean(), (changes, withWal) => {
        const bytes = whole.bytes.slice();
        for (const [offset, byte] of changes) bytes[offset] = byte;
        try {
          const file = overlayWal(decodeSqliteFile(bytes), withWal ? whole.wal : new Uint8Array(0));
          expect([...readTable(file, "t")].length).toBeLessThan(2000);
        } catch (error) {
          expect(error).toBeInstanceOf(ScanError);
        }
      }),
      { seed: 21, numRuns: 300 },
    );
  });
});

function asSqlite(read: unknown): unknown {
  if (read === undefined) return null;
  return typeof read === "number" && Number.isInteger(read) ? BigInt(read) : read;
}
