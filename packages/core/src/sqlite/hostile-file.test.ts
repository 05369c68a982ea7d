import { fuzzRuns } from "@plimsoll/testing";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { decodeSqliteFile, type SqliteFile } from "./file.ts";
import { readTable } from "./table.ts";
import { readTree } from "./tree.ts";

const pageSize = 65_536;
const interior = 5;

/** A page of a tree by the children that it names. */
type Children = readonly number[];

/** A database whose pages are all inner pages of trees; children may be any page. */
function treeOf(pages: readonly Children[]): Uint8Array {
  const bytes = new Uint8Array(pages.length * pageSize);
  bytes.set(new TextEncoder().encode("SQLite format 3\0"));
  const view = new DataView(bytes.buffer);
  view.setUint16(16, 1); // 65,536
  for (const [index, [last = 1, ...children]] of pages.entries()) {
    const page = index * pageSize;
    const header = page + (index === 0 ? 100 : 0);
    view.setUint8(header, interior);
    view.setUint16(header + 3, children.length);
    view.setUint32(header + 8, last);
    const cells = new Map([...new Set(children)].map((child, at) => [child, pageSize - 5 * (at + 1)]));
    for (const [child, offset] of cells) view.setUint32(page + offset, child);
    for (const [at, child] of children.entries()) view.setUint16(header + 12 + 2 * at, cells.get(child) ?? 0);
  }
  return bytes;
}

/** The file, and how often a page of it was looked at. */
function counted(bytes: Uint8Array): { readonly file: SqliteFile; looks(): number } {
  const file = decodeSqliteFile(bytes);
  let looks = 0;
  const page = (number: number) => {
    looks++;
    return file.page(number);
  };
  return { file: { ...file, page }, looks: () => looks };
}

const toItself = Array<number>(30_000).fill(1);

describe("a database that is made to be slow", () => {
  it("is given up when its schema is damaged all over", () => {
    const { file, looks } = counted(treeOf([toItself, toItself, toItself]));

    expect(() => readTable(file, "Packages")).toThrow(
      "expected a table Packages, found no table; the schema is damaged",
    );
    expect(looks()).toBeLessThan(1_100);
  });

  it("is not followed down forever", () => {
    const chain = Array.from({ length: 60 }, (_, at) => [at + 2]);

    const items = [...readTree(counted(treeOf(chain)).file, 1)];

    expect(items).toHaveLength(1);
    expect(items[0]).toMatchObject({ kind: "damaged", message: "expected a tree of at most 20 levels" });
  });

  it("is looked through once, wherever its pages lead", () => {
    const graph = fc.integer({ min: 1, max: 12 }).chain((count) => {
      const children = fc.array(fc.integer({ min: 0, max: count + 1 }), { minLength: 1, maxLength: 300 });
      return fc.array(children, { minLength: count, maxLength: count });
    });
    fc.assert(
      fc.property(graph, (pages) => {
        const { file, looks } = counted(treeOf(pages));
        const references = pages.reduce((sum, children) => sum + children.length, 1);

        const items = [...readTree(file, 1)];

        expect(items.every((item) => item.kind === "damaged")).toBe(true);
        expect(looks()).toBeLessThanOrEqual(references);
      }),
      fuzzRuns(100),
    );
  });
});
