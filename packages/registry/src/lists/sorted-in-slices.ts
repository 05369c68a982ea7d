import { cooperativeYield } from "@plimsoll/store";

/** How many items are sorted without a pause: less than a millisecond. */
const runLength = 1000;

/**
 * The items in order, as `toSorted` returns them; equal ones stay in their order. Other work of the thread runs in between: sorting 200,000
 * items takes a quarter of a second.
 */
export async function sortedInSlices<Item>(
  items: readonly Item[],
  compare: (one: Item, other: Item) => number,
): Promise<readonly Item[]> {
  const yieldToOthers = cooperativeYield();
  let runs: (readonly Item[])[] = [];
  for (let at = 0; at < items.length; at += runLength) {
    runs.push(items.slice(at, at + runLength).sort(compare));
    await yieldToOthers();
  }
  while (runs.length > 1) {
    const merged: (readonly Item[])[] = [];
    for (let at = 0; at < runs.length; at += 2) {
      const whole: Item[] = [];
      for (const part of merge(runs[at] ?? [], runs[at + 1] ?? [], compare)) {
        for (const item of part) whole.push(item);
        await yieldToOthers();
      }
      merged.push(whole);
    }
    runs = merged;
  }
  return runs[0] ?? [];
}

/** Two lists in order as one, in parts. */
function* merge<Item>(
  ones: readonly Item[],
  others: readonly Item[],
  compare: (one: Item, other: Item) => number,
): Generator<readonly Item[]> {
  let [at, otherAt] = [0, 0];
  let part: Item[] = [];
  while (at < ones.length || otherAt < others.length) {
    const isOne =
      otherAt >= others.length || (at < ones.length && compare(ones[at] as Item, others[otherAt] as Item) <= 0);
    part.push((isOne ? ones[at++] : others[otherAt++]) as Item);
    if (part.length < runLength) continue;
    yield part;
    part = [];
  }
  yield part;
}
