/** Collects the first `most` items of an order. Holds at most `2 * most + 1000` items. Items that compare as equal can be joined. */
export class FirstOf<Item> {
  readonly #compare: (one: Item, other: Item) => number;
  readonly #most: number;
  readonly #join: ((one: Item, other: Item) => Item) | undefined;
  #items: Item[] = [];

  /** @param join joins two items that compare as equal; without it both are kept */
  constructor(most: number, compare: (one: Item, other: Item) => number, join?: (one: Item, other: Item) => Item) {
    this.#most = most;
    this.#compare = compare;
    this.#join = join;
  }

  add(item: Item): void {
    this.#items.push(item);
    if (this.#items.length >= 2 * this.#most + 1000) this.#items = this.sorted();
  }

  /** The first `most` of the added items. */
  sorted(): Item[] {
    return this.#joined(this.#items.toSorted(this.#compare)).slice(0, this.#most);
  }

  #joined(sorted: Item[]): Item[] {
    const join = this.#join;
    if (join === undefined) return sorted;
    return sorted.reduce<Item[]>((items, item) => {
      const last = items.at(-1);
      if (last === undefined || this.#compare(last, item) !== 0) items.push(item);
      else items[items.length - 1] = join(last, item);
      return items;
    }, []);
  }
}
