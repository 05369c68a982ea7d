import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { ScanError } from "../../errors.ts";
import { buildSqlite } from "../../sqlite/fixtures/build-sqlite.ts";
import { buildBdb } from "./fixtures/build-bdb.ts";
import { numbers, packageHeader, text, texts } from "./fixtures/build-header.ts";
import { buildNdb } from "./fixtures/build-ndb.ts";
import { parseRpmDatabase } from "./parser.ts";

const records = ["audit", "bash", "curl", "dnf"].map((name, index) => ({
  number: index + 1,
  blob: packageHeader({
    name,
    more: [
      numbers(1003, [index]),
      text(1044, `${name}-1.0-1.src.rpm`),
      texts(1118, ["/usr/bin/", "/usr/share/"]),
      numbers(
        1116,
        Array.from({ length: 60 }, (_, file) => file % 2),
      ),
      texts(
        1117,
        Array.from({ length: 60 }, (_, file) => `${name}-${file}`),
      ),
    ],
  }),
}));

const sqlite = buildSqlite((database) => {
  database.exec("PRAGMA page_size = 512; PRAGMA journal_mode = WAL");
  database.exec("CREATE TABLE Packages (hnum INTEGER PRIMARY KEY, blob BLOB NOT NULL)");
  for (const { number, blob } of records) database.prepare("INSERT INTO Packages VALUES (?, ?)").run(number, blob);
  database.exec("PRAGMA wal_checkpoint(TRUNCATE); DELETE FROM Packages WHERE hnum = 4");
});

const none = new Uint8Array(0);

describe("parseRpmDatabase", () => {
  it.each([
    ["SQLite", sqlite.bytes, sqlite.wal],
    ["Berkeley DB", buildBdb(records), none],
    ["a big-endian Berkeley DB", buildBdb(records, { littleEndian: false, hashPageType: 2 }), none],
    ["Berkeley DB with inline values", buildBdb(records, { pageSize: 4096, maxInlineBytes: 4000 }), none],
    ["NDB", buildNdb(records), none],
  ])("throws only ScanError, whatever bytes of %s are damaged or missing", (_, whole, wal) => {
    const byteOf = (bytes: Uint8Array) => fc.tuple(fc.nat(Math.max(bytes.length - 1, 0)), fc.nat(255));
    const damage = fc.record({
      changes: fc.array(byteOf(whole), { maxLength: 40 }),
      walChanges: fc.array(byteOf(wal), { maxLength: 5 }),
      length: fc.oneof(fc.constant(whole.length), fc.nat(whole.length)),
    });

    fc.assert(
      fc.property(damage, ({ changes, walChanges, length }) => {
        const bytes = damaged(whole, changes).subarray(0, length);
        try {
          const { packages } = parseRpmDatabase(bytes, { wal: damaged(wal, walChanges) });
          expect(packages.length).toBeLessThanOrEqual(records.length);
          for (const rpm of packages) expect([...rpm.files()].length).toBeLessThanOrEqual(bytes.length);
        } catch (error) {
          expect(error).toBeInstanceOf(ScanError);
        }
      }),
      { seed: 30, numRuns: 400 },
    );
  });
});

function damaged(whole: Uint8Array, changes: readonly (readonly [offset: number, byte: number])[]): Uint8Array {
  const bytes = whole.slice();
  for (const [offset, byte] of changes) if (offset < bytes.length) bytes[offset] = byte;
  return bytes;
}
