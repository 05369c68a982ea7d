/** Counts things by their keys. */
export class Counts<Key> {
  readonly #counts = new Map<Key, number>();

  /** How many things a key has. */
  of(key: Key): number {
    return this.#counts.get(key) ?? 0;
  }

  /** Counts one more. */
  add(key: Key): void {
    this.#counts.set(key, this.of(key) + 1);
  }

  /** Counts one less. */
  remove(key: Key): void {
    const count = this.of(key) - 1;
    if (count > 0) this.#counts.set(key, count);
    else this.#counts.delete(key);
  }

  /** The key with the most things. */
  largest(): Key | undefined {
    let [largest, most] = [undefined as Key | undefined, 0];
    for (const [key, count] of this.#counts) if (count > most) [largest, most] = [key, count];
    return largest;
  }
}
