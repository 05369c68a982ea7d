/** Adds up amounts by their keys. */
export class Amounts<Key = string> {
  readonly #amounts = new Map<Key, number>();

  /** How much a key has. */
  of(key: Key): number {
    return this.#amounts.get(key) ?? 0;
  }

  /** Adds to the amount of a key; a negative number takes away. */
  add(key: Key, amount: number): void {
    const left = this.of(key) + amount;
    if (left > 0) this.#amounts.set(key, left);
    else this.#amounts.delete(key);
  }

  /** The key with the most. */
  largest(): Key | undefined {
    let [largest, most] = [undefined as Key | undefined, 0];
    for (const [key, amount] of this.#amounts) if (amount > most) [largest, most] = [key, amount];
    return largest;
  }
}

/** Counts things by their keys. */
export class Counts<Key> {
  readonly #amounts = new Amounts<Key>();

  /** How many things a key has. */
  of(key: Key): number {
    return this.#amounts.of(key);
  }

  /** Counts one more. */
  add(key: Key): void {
    this.#amounts.add(key, 1);
  }

  /** Counts one less. */
  remove(key: Key): void {
    this.#amounts.add(key, -1);
  }

  /** The key with the most things. */
  largest(): Key | undefined {
    return this.#amounts.largest();
  }
}
