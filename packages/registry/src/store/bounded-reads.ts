import { cooperativeYield } from "@plimsoll/store";

/** The most rows of one read, since on SQLite all other statements wait for it. */
export const readLength = 1000;

/**
 * Reads at most {@link readLength} rows of some keys. `after` is only given with a single key, to read its further rows: the rows of a
 * single key must then be ordered, and begin after that row.
 */
export type ReadOfKeys<Row> = (keys: readonly string[], after?: Row) => Promise<readonly Row[]>;

/**
 * Reads all rows of some keys in bounded reads, and lets other work run in between. If some keys have too many rows together, each half
 * of them is read.
 */
export async function* readByKeys<Row>(keys: readonly string[], read: ReadOfKeys<Row>): AsyncIterable<readonly Row[]> {
  const yieldToOthers = cooperativeYield();
  const waiting = [...inChunks([...new Set(keys)])].reverse();
  for (let some = waiting.pop(); some !== undefined; some = waiting.pop()) {
    await yieldToOthers();
    let rows = await read(some);
    const half = Math.ceil(some.length / 2);
    if (rows.length < readLength) yield rows;
    else if (some.length > 1) waiting.push(some.slice(half), some.slice(0, half));
    else {
      for (; rows.length > 0; rows = await read(some, rows.at(-1))) {
        yield rows;
        await yieldToOthers();
      }
    }
  }
}

/** Reads page after page until an empty one. Each page begins after the last row of the page before. */
export async function* readPages<Row>(read: (after?: Row) => Promise<readonly Row[]>): AsyncIterable<readonly Row[]> {
  const yieldToOthers = cooperativeYield();
  for (let rows = await read(); rows.length > 0; rows = await read(rows.at(-1))) {
    yield rows;
    await yieldToOthers();
  }
}

/** All rows of several pages. */
export async function gather<Row>(pages: AsyncIterable<readonly Row[]>): Promise<readonly Row[]> {
  const all: Row[] = [];
  for await (const rows of pages) all.push(...rows);
  return all;
}

/** The most parameters of a statement. */
const chunkLength = 1000;

/** Splits a list into parts that fit a statement. */
export function inChunks<Item>(items: readonly Item[]): readonly (readonly Item[])[] {
  const count = Math.ceil(items.length / chunkLength);
  return Array.from({ length: count }, (_, index) => items.slice(index * chunkLength, (index + 1) * chunkLength));
}
