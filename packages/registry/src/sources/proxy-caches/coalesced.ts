/** Runs work with the same name once at a time in this process. Callers in the meantime get the same result. */
export class Coalesced<Result> {
  readonly #running = new Map<string, Promise<Result>>();

  run(name: string, work: () => Promise<Result>): Promise<Result> {
    const running = this.#running.get(name);
    if (running !== undefined) return running;
    const started = work().finally(() => this.#running.delete(name));
    this.#running.set(name, started);
    return started;
  }
}
