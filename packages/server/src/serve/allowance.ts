/** The size of an {@link Allowance}. */
export interface AllowanceSize {
  /** What may be taken at once. */
  readonly burst: number;
  readonly perSecond: number;
}

/** An amount that is filled up again with time. */
export class Allowance {
  readonly #burst: number;
  readonly #perSecond: number;
  readonly #now: () => number;
  #left: number;
  #at: number;

  constructor({ burst, perSecond }: AllowanceSize, now: () => number) {
    this.#burst = burst;
    this.#perSecond = perSecond;
    this.#now = now;
    this.#left = burst;
    this.#at = now();
  }

  /** Takes an amount. @returns whether there was enough */
  take(amount: number): boolean {
    const now = this.#now();
    this.#left = Math.min(this.#burst, this.#left + ((now - this.#at) / 1000) * this.#perSecond) - amount;
    this.#at = now;
    return this.#left >= 0;
  }
}
