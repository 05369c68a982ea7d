/**
 * A parser written as a generator: it yields the number of bytes to step over and receives the last of them, so that `yield 1`
 * evaluates to the next byte.
 */
export type SteppingParser<Result> = Generator<number, Result, number>;

/** Runs a {@link SteppingParser} over chunks of bytes. */
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

  /** Runs the parser from offset `at`. @returns the offset that it reached: the chunk's end, unless the parser is done */
  run(chunk: Uint8Array, at: number): number {
    let position = at;
    while (!this.#state.done) {
      const step = Math.min(this.#left, chunk.length - position);
      position += step;
      this.#steps += step;
      this.#left -= step;
      if (this.#left > 0) return position;
      this.#state = this.#parser.next(chunk[position - 1] ?? 0);
      if (!this.#state.done) this.#left = this.#state.value;
    }
    return position;
  }

  /** Whether the parser has begun and is not done. */
  get isUnderWay(): boolean {
    return this.#steps > 0 && !this.#state.done;
  }

  /** The parser's result; undefined until it is done. */
  get result(): Result | undefined {
    return this.#state.done ? this.#state.value : undefined;
  }
}
