/** Collects the first so many of many items in an order, and keeps no more than twice as many. Items of one place may be made one. */
export class FirstOf<Item> {
  readonly #compare: (one: Item, other: Item) => number;
  readonly #most: number;
  readonly #join: ((one: Item, other: Item) => Item) | undefined;
  #items: Item[] = [];

  /** @param join makes one of two items of the same place; both are kept where absent */
  constructor(most: number, compare: (one: Item, other: Item) => number, join?: (one: Item, other: Item) => Item) {
    this.#most = most;
    this.#compare = compare;
    this.#join = join;
  }

  add(item: Item): void {
    this.#items.push(item);
    if (this.#items.length >= 2 * this.#most + 1000) this.#items = this.sorted();
  }

  /** Those that were added, as far as they are kept. */
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
