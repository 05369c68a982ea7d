/** The largest number of names of one vulnerability; a record with more is about several vulnerabilities. */
export const maxNames = 50;

/** The names of a vulnerability, found step by step: an advisory with a known name may add more names. Case is ignored. */
export class FoundNames {
  readonly #names = new Map<string, string>();
  #added: string[] = [];

  constructor(first: string) {
    this.add(first);
  }

  /** Adds a name, unless it is known or there are too many. */
  add(name: string): void {
    if (this.has(name) || this.#names.size >= maxNames) return;
    this.#names.set(keyOf(name), name);
    this.#added.push(name);
  }

  has(name: string): boolean {
    return this.#names.has(keyOf(name));
  }

  /** The names that were added since the last call, to look up next. */
  takeAdded(): readonly string[] {
    const added = this.#added;
    this.#added = [];
    return added;
  }

  /** All names, in the order in which they were found. */
  all(): readonly string[] {
    return [...this.#names.values()];
  }
}

/** A key that is the same for all spellings of a name. */
export function keyOf(name: string): string {
  return name.toUpperCase();
}
