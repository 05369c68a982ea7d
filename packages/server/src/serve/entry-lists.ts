import type { Json } from "@plimsoll/core";
import type { JsonEntry } from "./json-entries.ts";

/** The lists of a streamed document. Read each list once, in the order of the document. */
export class EntryLists {
  readonly #entries: AsyncGenerator<JsonEntry>;
  readonly #names: readonly string[];
  /** The first entry of the next list, found at the end of the list before. */
  #ahead: JsonEntry | undefined;

  /** @param names the lists to read; others are skipped */
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
