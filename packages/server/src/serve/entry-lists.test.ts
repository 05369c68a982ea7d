import { describe, expect, it } from "vitest";
import { EntryLists } from "./remote-services.ts";

/** Entries `section value`, how often they were opened, and whether they were closed. A section alone is an empty list. */
function entriesOf(...texts: readonly string[]) {
  const seen = { closed: false, opened: 0 };
  async function* entries(onSection: (name: string) => void) {
    seen.opened++;
    try {
      for (const text of texts) {
        const [section = "", value] = text.split(" ");
        onSection(section);
        if (value !== undefined) yield { section, value: value === "null" ? null : value };
      }
    } finally {
      seen.closed = true;
    }
  }
  return { seen, lists: new EntryLists(entries, ["added", "removed"]) };
}

async function listed<T>(items: AsyncIterable<T>): Promise<readonly T[]> {
  const found: T[] = [];
  for await (const item of items) found.push(item);
  return found;
}

describe("EntryLists", () => {
  it.each([
    [["cur x", "added a", "added b", "removed c"], ["a", "b"], ["c"]],
    [["added", "removed c", "cur x"], [], ["c"]],
    [["added null", "removed null"], [], []],
    [["added a"], ["a"], []],
    [[], [], []],
  ])("reads the lists of %j", async (texts, added, removed) => {
    const { lists, seen } = entriesOf(...texts);

    expect(await listed(lists.read("added"))).toEqual(added);
    expect(await listed(lists.read("removed"))).toEqual(removed);
    expect(seen.closed).toBe(true);
  });

  it.each([
    [["removed c", "removed d", "added a"], ["a"], ["c", "d"]],
    [["removed c", "cur x"], [], ["c"]],
  ])("opens %j again, whose lists are in another order", async (texts, added, removed) => {
    const { lists, seen } = entriesOf(...texts);

    expect(await listed(lists.read("added"))).toEqual(added);
    expect(await listed(lists.read("removed"))).toEqual(removed);
    expect(seen).toEqual({ closed: true, opened: 2 });
  });

  it("closes the document when a reader stops early", async () => {
    const { lists, seen } = entriesOf("added a", "added b", "removed c");

    for await (const _ of lists.read("added")) break;

    expect(seen.closed).toBe(true);
    expect(await listed(lists.read("removed"))).toEqual([]);
  });
});
