import { describe, expect, it } from "vitest";
import { decodeSqliteFile } from "./file.ts";
import { buildSqlite } from "./fixtures/build-sqlite.ts";
import { findRow, seekIndex } from "./seek.ts";
import { readTable } from "./table.ts";
import { readTree } from "./tree.ts";

const rows = 5000;
const groupOf = (id: number) => `group-${id % 100}`;
/** Every 1000th name does not fit into a page of the index. */
const nameOf = (id: number) => (id % 1000 === 0 ? `${id} `.repeat(300) : `name-${id}`);

const { bytes } = buildSqlite((database) => {
  database.exec("PRAGMA page_size = 512; CREATE TABLE t (id INTEGER PRIMARY KEY, grp TEXT, name TEXT)");
  database.exec("CREATE INDEX t_grp ON t (grp, name); BEGIN");
  const insert = database.prepare("INSERT INTO t VALUES (?, ?, ?)");
  for (let id = 1; id <= rows; id++) insert.run(2 * id, groupOf(id), nameOf(id));
  database.exec("COMMIT; VACUUM");
});
const file = decodeSqliteFile(bytes);
const roots = new Map(
  [...readTree(file, 1)].flatMap((each) => (each.kind === "row" ? [[each.values[1], each.values[3] as number]] : [])),
);
const rootOf = (name: string) => roots.get(name) ?? 0;

function compareText(wanted: string, found: unknown): number {
  return wanted < String(found) ? -1 : wanted > String(found) ? 1 : 0;
}

describe("findRow", () => {
  it("finds every row, and no row between them", () => {
    for (let id = 1; id <= rows; id += 7) {
      expect(findRow(file, rootOf("t"), 2 * id)).toEqual([undefined, groupOf(id), nameOf(id)]);
      expect(findRow(file, rootOf("t"), 2 * id + 1)).toBeUndefined();
    }
    expect(findRow(file, rootOf("t"), 0)).toBeUndefined();
  });

  it("refuses the tree of an index", () => {
    expect(() => findRow(file, rootOf("t_grp"), 1)).toThrow("expected a page of a table");
  });
});

describe("seekIndex", () => {
  it.each([["group-0"], ["group-42"], ["group-99"]])("finds the entries of %s in their order", (group) => {
    const found = [...seekIndex(file, rootOf("t_grp"), ([first]) => compareText(group, first))];

    const expected = [...readTable(file, "t")].flatMap((each) =>
      each.kind === "row" && each.values[1] === group ? [{ name: String(each.values[2]), id: each.rowid }] : [],
    );
    expected.sort((a, b) => (a.name < b.name ? -1 : 1));
    expect(found).toEqual(expected.map(({ name, id }) => [group, name, id]));
  });

  it.each([["a"], ["group-420"], ["z"]])("finds nothing for %s", (group) => {
    expect([...seekIndex(file, rootOf("t_grp"), ([first]) => compareText(group, first))]).toEqual([]);
  });

  it("reads one page of each level", () => {
    let pages = 0;
    const page = (number: number) => {
      pages++;
      return file.page(number);
    };
    const counting = { ...file, page };

    const [entry] = seekIndex(counting, rootOf("t_grp"), ([first, name]) =>
      compareText("group-42 name-42", `${first} ${name}`),
    );

    expect(entry).toEqual(["group-42", "name-42", 84]);
    expect(pages).toBeLessThan(20);
  });

  it("ends in a loop of pages", () => {
    const root = rootOf("t_grp");
    const damaged = bytes.slice();
    const at = (root - 1) * 512;
    const cells = new DataView(damaged.buffer).getUint16(at + 3);
    const view = new DataView(damaged.buffer);
    for (let cell = 0; cell < cells; cell++) view.setUint32(at + view.getUint16(at + 12 + 2 * cell), root);
    view.setUint32(at + 8, root);

    expect(() => [...seekIndex(decodeSqliteFile(damaged), root, () => 0)]).toThrow("a loop or a shared page");
  });
});
