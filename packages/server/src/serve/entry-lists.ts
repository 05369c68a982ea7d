import type { Json } from "@plimsoll/core/report";
import type { JsonEntry } from "./json-entries.ts";

/** Opens a document with lists. `onSection` is called for each list when it begins, even if it is empty. */
export type OpenEntries = (onSection: (name: string) => void) => AsyncGenerator<JsonEntry>;

/**
 * The lists of a streamed document. Read each list once. If they are in another order in the document, it is opened again for those that were
 * passed.
 */
export class EntryLists {
  readonly #open: OpenEntries;
  readonly #names: readonly string[];
  readonly #begun = new Set<string>();
  readonly #passed = new Set<string>();
  #entries: AsyncGenerator<JsonEntry>;
  /** The first entry of the next list, found at the end of the list before. */
  #ahead: JsonEntry | undefined;

  /** @param names the lists to read; others are skipped */
  constructor(open: OpenEntries, names: readonly string[]) {
    this.#open = open;
    this.#names = names;
    this.#entries = this.#opened();
  }

  /** The items of a list; none if it is null. A caller that stops early closes the document. */
  async *read(name: string): AsyncGenerator<Json> {
    if (this.#passed.has(name)) await this.#reopen();
    let isStopped = true;
    try {
      for (let entry = await this.#next(); entry !== undefined; entry = await this.#next()) {
        if (entry.section === name) {
          if (entry.value !== null) yield entry.value;
        } else if (this.#names.includes(entry.section) && this.#endsBefore(name, entry)) {
          break;
        }
      }
      isStopped = false;
    } finally {
      if (isStopped) await this.#entries.return(undefined);
    }
  }

  /** Whether a list has ended, because it had begun before another one. */
  #endsBefore(name: string, entry: JsonEntry): boolean {
    if (!this.#begun.has(name)) {
      this.#passed.add(entry.section);
      return false;
    }
    this.#ahead = entry;
    return true;
  }

  async #reopen(): Promise<void> {
    await this.#entries.return(undefined);
    this.#ahead = undefined;
    this.#passed.clear();
    this.#begun.clear();
    this.#entries = this.#opened();
  }

  #opened(): AsyncGenerator<JsonEntry> {
    return this.#open((name) => void this.#begun.add(name));
  }

  async #next(): Promise<JsonEntry | undefined> {
    const ahead = this.#ahead;
    this.#ahead = undefined;
    if (ahead !== undefined) return ahead;
    const { done, value } = await this.#entries.next();
    if (done) return undefined;
    this.#begun.add(value.section);
    return value;
  }
}
