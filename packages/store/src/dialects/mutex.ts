/** A lock within this process with one holder at a time; waiting callers get it in the order in which they asked. */
export class Mutex {
  #last: Promise<void> = Promise.resolve();

  /** Waits for the mutex. Resolves to the function that releases it. */
  async acquire(): Promise<() => void> {
    const before = this.#last;
    const released = Promise.withResolvers<void>();
    this.#last = released.promise;
    await before;
    return released.resolve;
  }
}
