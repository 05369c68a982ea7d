/** A lock within this process with one holder at a time. Waiting callers get it in the order of their calls. */
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
