/** Names of one vulnerability: more are those of a record that is about many. */
export const mostNames = 50;

/** The names of a vulnerability, found step by step: what names one may have more names. They are told apart without their case. */
export class FoundNames {
  readonly #names = new Map<string, string>();
  #added: string[] = [];

  constructor(first: string) {
    this.add(first);
  }

  /** Takes one more, unless it is there or there are too many. */
  add(name: string): void {
    if (this.has(name) || this.#names.size >= mostNames) return;
    this.#names.set(keyOf(name), name);
    this.#added.push(name);
  }

  has(name: string): boolean {
    return this.#names.has(keyOf(name));
  }

  /** Those that were added since it was asked last: what is to be looked up next. */
  takeAdded(): readonly string[] {
    const added = this.#added;
    this.#added = [];
    return added;
  }

  /** In the order in which they were found. */
  all(): readonly string[] {
    return [...this.#names.values()];
  }
}

/** The same for all spellings of a name. */
export function keyOf(name: string): string {
  return name.toUpperCase();
}
