import { describe, expect, it } from "vitest";
import { ScanError } from "../errors.ts";
import { decodeSqliteFile } from "./file.ts";
import { buildSqlite } from "./fixtures/build-sqlite.ts";
import { rowsOf } from "./fixtures/rows-of.ts";
import { readTable } from "./table.ts";

const values = [
  null,
  0,
  1,
  -1,
  127,
  -128,
  32767,
  -32769,
  8388607,
  2 ** 31,
  -(2 ** 47),
  2 ** 53 - 1,
  2n ** 53n,
  -(2n ** 63n),
  2n ** 63n - 1n,
  0.5,
  -1e300,
  "",
  "text with ü, 漢 and 🜚",
  "\uFEFFmarked",
  new Uint8Array([0, 255, 0]),
  new Uint8Array(0),
];

/** Blobs around every size at which the layout changes, for pages of 512 to 65536 bytes. */
const sizes = [1, 476, 477, 478, 984, 985, 4060, 4061, 4062, 8152, 8153, 65500, 65501, 65502, 200_000];

describe("readTable", () => {
  it.each(["UTF-8", "UTF-16le", "UTF-16be"])("reads every kind of value in an %s database", (encoding) => {
    const file = buildSqlite((database) => {
      database.exec(`PRAGMA encoding = '${encoding}'; CREATE TABLE t (id INTEGER PRIMARY KEY, value)`);
      const insert = database.prepare("INSERT INTO t (value) VALUES (?)");
      for (const value of values) insert.run(value);
    });

    const rows = rowsOf(file, "t");

    expect(rows.map((row) => row.values[1] ?? null)).toEqual(values);
    expect(rows.map((row) => row.rowid)).toEqual(values.map((_, index) => index + 1));
  });

  it.each([512, 1024, 4096, 8192, 65536])("follows overflow pages of %i bytes", (pageSize) => {
    const file = buildSqlite((database) => {
      database.exec(`PRAGMA page_size = ${pageSize}; CREATE TABLE t (value)`);
      const insert = database.prepare("INSERT INTO t VALUES (?)");
      for (const size of sizes) insert.run(pattern(size));
    });

    const rows = rowsOf(file, "t");

    expect(decodeSqliteFile(file.bytes).pageSize).toBe(pageSize);
    expect(rows.map((row) => row.values[0])).toEqual(sizes.map(pattern));
  });

  it("leaves out the bytes that are reserved at the end of pages", () => {
    const empty = buildSqlite((database) => database.exec("PRAGMA user_version = 1")).bytes.slice();
    empty[20] = 32; // reserved
    new DataView(empty.buffer).setUint16(105, 4096 - 32); // where the content of page 1 begins
    const file = buildSqlite((database) => {
      database.exec("CREATE TABLE t (value)");
      for (const size of sizes) database.prepare("INSERT INTO t VALUES (?)").run(pattern(size));
    }, empty);

    const rows = rowsOf(file, "t");

    expect(decodeSqliteFile(file.bytes).usableBytes).toBe(4064);
    expect(rows.map((row) => row.values[0])).toEqual(sizes.map(pattern));
  });

  it("walks a tree of several levels in the order of row ids, whatever they are", () => {
    const file = buildSqlite((database) => {
      database.exec("PRAGMA page_size = 512; CREATE TABLE t (value); BEGIN");
      const insert = database.prepare("INSERT INTO t (rowid, value) VALUES (?, ?)");
      for (let index = 5000; index > 0; index--) insert.run(index * 7, `row ${index}`);
      insert.run(-5, "negative");
      insert.setReadBigInts(true); // Node 26 refuses to tell the id of such a row as a number
      insert.run(2n ** 62n, "immense");
      database.exec("COMMIT");
    });

    const rows = rowsOf(file, "t");

    expect(rows).toHaveLength(5002);
    expect(rows[0]).toEqual({ kind: "row", rowid: -5, values: ["negative"] });
    expect(rows[5000]).toEqual({ kind: "row", rowid: 35000, values: ["row 5000"] });
    expect(rows[5001]).toEqual({ kind: "row", rowid: 2n ** 62n, values: ["immense"] });
  });

  it("finds a table among many, whatever the case of its name", () => {
    const file = buildSqlite((database) => {
      database.exec("PRAGMA page_size = 512; CREATE VIEW v AS SELECT 1");
      for (let index = 0; index < 60; index++)
        database.exec(`CREATE TABLE t${index} (a); CREATE INDEX i${index} ON t${index} (a)`);
      database.exec("CREATE TABLE 'Packages' (hnum INTEGER PRIMARY KEY); INSERT INTO Packages VALUES (3)");
    });

    expect(rowsOf(file, "PACKAGES").map((row) => row.rowid)).toEqual([3]);
  });

  it("says which tables there are when it is not among them", () => {
    const file = buildSqlite((database) => database.exec("CREATE TABLE other (a)"));

    expect(() => rowsOf(file, "Packages")).toThrow(
      new ScanError("malformed_package_db", "expected a table Packages, found other"),
    );
  });

  it("does not read a table without row ids", () => {
    const file = buildSqlite((database) =>
      database.exec("CREATE TABLE t (a PRIMARY KEY) WITHOUT ROWID; INSERT INTO t VALUES (1)"),
    );

    expect(() => rowsOf(file, "t")).toThrow(/expected a page of a table \(type 5 or 13\), found type 10/);
  });
});

describe("readTable of a damaged file", () => {
  const whole = buildSqlite((database) => {
    database.exec("PRAGMA page_size = 512; CREATE TABLE t (value)");
    const insert = database.prepare("INSERT INTO t VALUES (?)");
    for (let index = 0; index < 40; index++) insert.run(pattern(index * 50));
  }).bytes;
  const root = 2;

  it("gives fewer rows for a file cut at any page, and says so", () => {
    const rowCounts: number[] = [];
    for (let pages = whole.length / 512 - 1; pages >= root; pages--) {
      const items = itemsOf(whole.subarray(0, pages * 512));
      rowCounts.push(items.filter((item) => item.kind === "row").length);
      expect(items.some((item) => item.kind === "damaged")).toBe(true);
    }

    expect(rowCounts).toEqual(rowCounts.toSorted((a, b) => b - a));
    expect(rowCounts[0]).toBeGreaterThan(30);
  });

  it("ends when a page leads back to the root", () => {
    const looping = whole.slice();
    new DataView(looping.buffer).setUint32((root - 1) * 512 + 8, root); // last child

    expect(itemsOf(looping)).toContainEqual(
      expect.objectContaining({ kind: "damaged", at: `page ${root}`, message: expect.stringContaining("a loop") }),
    );
  });

  it("loses only the row whose overflow pages form a loop", () => {
    const overflow = buildSqlite((database) => {
      database.exec("PRAGMA page_size = 512; CREATE TABLE t (value)");
      for (const size of [10, 2000, 10]) database.prepare("INSERT INTO t VALUES (?)").run(pattern(size));
    }).bytes.slice();
    const view = new DataView(overflow.buffer);
    view.setUint32(3 * 512, 3); // page 4 leads back to page 3

    const items = itemsOf(overflow);

    expect(items.map((item) => item.kind)).toEqual(["row", "damaged", "row"]);
    expect(items[1]).toMatchObject({ at: "cell 1 of page 2" });
  });

  it("stops at cells that overlap", () => {
    const overlapping = buildSqlite((database) => {
      database.exec("PRAGMA page_size = 512; CREATE TABLE t (value)");
      for (let index = 0; index < 4; index++) database.prepare("INSERT INTO t VALUES (?)").run(pattern(100));
    }).bytes.slice();
    const view = new DataView(overlapping.buffer, 512);
    view.setUint16(3, 200); // so many cells
    for (let cell = 1; cell < 200; cell++) view.setUint16(8 + 2 * cell, view.getUint16(8));

    const items = itemsOf(overlapping);

    expect(items.length).toBeLessThan(8);
    expect(items.at(-1)).toMatchObject({ kind: "damaged", at: "page 2", message: "the cells overlap" });
  });

  it.each([
    ["no magic", (bytes: Uint8Array) => bytes.fill(0, 0, 4), /expected "SQLite format 3"/],
    ["a page size of 100", (bytes: Uint8Array) => bytes.fill(0, 16, 17).fill(100, 17, 18), /page size .* found 100/],
    ["too many reserved bytes", (bytes: Uint8Array) => bytes.fill(255, 20, 21), /usable bytes .* found 257/],
    ["an unknown text encoding", (bytes: Uint8Array) => bytes.fill(9, 59, 60), /text encoding 1 to 3, found 9/],
  ])("rejects a header with %s", (_, damage, message) => {
    expect(() => itemsOf(damage(whole.slice()))).toThrow(message);
  });
});

function itemsOf(bytes: Uint8Array) {
  return [...readTable(decodeSqliteFile(bytes), "t")];
}

function pattern(size: number): Uint8Array {
  return Uint8Array.from({ length: size }, (_, index) => (index * 31 + size) & 0xff);
}
