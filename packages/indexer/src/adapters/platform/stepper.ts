/**
 * A parser written as a generator: it yields how many bytes to step over and is given the last of them, so `yield 1`
 * is the next byte.
 */
export type SteppingParser<Result> = Generator<number, Result, number>;

/** Runs a {@link SteppingParser} over bytes that come in chunks. */
export class Stepper<Result> {
  readonly #parser: SteppingParser<Result>;
  #state: IteratorResult<number, Result>;
  #left = 0;
  #steps = 0;

  constructor(parser: SteppingParser<Result>) {
    this.#parser = parser;
    this.#state = parser.next();
    this.#left = this.#state.done ? 0 : this.#state.value;
  }

  /** Steps on from `at`; returns how far it came: the chunk's end unless the parser is done. */
  run(chunk: Uint8Array, at: number): number {
    let position = at;
    while (!this.#state.done) {
      const taken = Math.min(this.#left, chunk.length - position);
      position += taken;
      this.#steps += taken;
      this.#left -= taken;
      if (this.#left > 0) return position;
      this.#state = this.#parser.next(chunk[position - 1] ?? 0);
      if (!this.#state.done) this.#left = this.#state.value;
    }
    return position;
  }

  /** Whether the parser is in the middle of something. */
  get isUnderWay(): boolean {
    return this.#steps > 0 && !this.#state.done;
  }

  /** What the parser found, once it is done. */
  get result(): Result | undefined {
    return this.#state.done ? this.#state.value : undefined;
  }
}
