import type { Json } from "@plimsoll/core";
import type { JsonEntry } from "./json-entries.ts";

/** The lists of a document that is read once. They are read in the order in which they are there, each once. */
export class EntryLists {
  readonly #entries: AsyncGenerator<JsonEntry>;
  readonly #names: readonly string[];
  /** The first of the next list, met at the end of the one before. */
  #ahead: JsonEntry | undefined;

  /** @param names the lists that are wanted; others are passed over */
  constructor(entries: AsyncGenerator<JsonEntry>, names: readonly string[]) {
    this.#entries = entries;
    this.#names = names;
  }

  /** The items of a list. A caller that stops early closes the document. */
  async *read(name: string): AsyncGenerator<Json> {
    let isStopped = true;
    try {
      for (let entry = await this.#next(); entry !== undefined; entry = await this.#next()) {
        if (entry.section === name) {
          yield entry.value;
        } else if (this.#names.includes(entry.section)) {
          this.#ahead = entry;
          break;
        }
      }
      isStopped = false;
    } finally {
      if (isStopped) await this.#entries.return(undefined);
    }
  }

  async #next(): Promise<JsonEntry | undefined> {
    const ahead = this.#ahead;
    this.#ahead = undefined;
    if (ahead !== undefined) return ahead;
    const { done, value } = await this.#entries.next();
    return done ? undefined : value;
  }
}
