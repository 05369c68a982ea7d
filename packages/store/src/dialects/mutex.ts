/** Lets one holder in at a time, first come, first served. */
export class Mutex {
  #last: Promise<void> = Promise.resolve();

  /** Resolves to the function that lets the next one in. */
  async acquire(): Promise<() => void> {
    const before = this.#last;
    const turn = Promise.withResolvers<void>();
    this.#last = turn.promise;
    await before;
    return turn.resolve;
  }
}
