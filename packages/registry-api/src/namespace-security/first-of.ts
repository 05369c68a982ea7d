/** Collects the first so many of many items in an order, and keeps no more than twice as many. */
export class FirstOf<Item> {
  readonly #compare: (one: Item, other: Item) => number;
  readonly #most: number;
  #items: Item[] = [];

  constructor(most: number, compare: (one: Item, other: Item) => number) {
    this.#most = most;
    this.#compare = compare;
  }

  add(item: Item): void {
    this.#items.push(item);
    if (this.#items.length >= 2 * this.#most + 1000) this.#items = this.sorted();
  }

  /** Those that were added, as far as they are kept. */
  sorted(): Item[] {
    return this.#items.toSorted(this.#compare).slice(0, this.#most);
  }
}
