import { type Bytes, ScanError } from "@plimsoll/core";
import type { Json } from "@plimsoll/core/report";

/** An entry of a document: an item of an array, or a member of an object, in the second level of the document. */
export interface JsonEntry {
  /** The name of the array or object; for a member that is neither, its own name. */
  readonly section: string;
  /** The name of the entry, if it is a member of an object. */
  readonly name?: string;
  readonly value: Json;
}

/** Limits for reading a document. */
export interface JsonEntriesOptions {
  /** The name of the document in messages. */
  readonly what: string;
  /** The most characters of one entry. */
  readonly maxEntryLength: number;
  /** Called for each array or object in the second level when it begins, even if it is empty. */
  readonly onSection?: ((name: string) => void) | undefined;
}

/**
 * Reads a JSON object whose members are arrays and objects, entry by entry. Only one entry is in memory at a time.
 *
 *     { "SECTION": [ENTRY, …] | { "NAME": ENTRY, … } | VALUE, … }
 *
 * @throws ScanError `malformed_report` while iterating, if the document is malformed or cut off, or an entry is too large
 */
export async function* readJsonEntries(bytes: Bytes, options: JsonEntriesOptions): AsyncGenerator<JsonEntry> {
  const reader = new EntryReader(options);
  const decoder = new TextDecoder("utf-8", { fatal: true });
  for await (const chunk of bytes) yield* reader.read(reader.checked(() => decoder.decode(chunk, { stream: true })));
  yield* reader.read(reader.checked(() => decoder.decode()));
  reader.end();
}

/** The significant characters outside of strings, and inside. */
const [structure, textEnd] = [/["{}[\],]/g, /["\\]/g];

class EntryReader {
  readonly #options: JsonEntriesOptions;
  /** The text so far of the unfinished entry. */
  #begun = "";
  #depth = 0;
  #isInText = false;
  #isEscaped = false;
  #section: { readonly name: string; readonly isArray: boolean } | undefined;
  #isEnded = false;

  constructor(options: JsonEntriesOptions) {
    this.#options = options;
  }

  *read(text: string): Generator<JsonEntry> {
    let from = 0;
    for (let at = this.#next(text, 0); at < text.length; at = this.#next(text, at + 1)) {
      const entryEnds = this.#step(text[at] ?? "");
      if (entryEnds === undefined) continue;
      yield* this.#entryOf(this.#begun + text.slice(from, at), entryEnds);
      this.#begun = "";
      from = at + 1;
    }
    this.#begun += text.slice(from);
    if (this.#begun.length > this.#options.maxEntryLength) {
      throw this.#malformed(`expected entries of at most ${this.#options.maxEntryLength} characters`);
    }
  }

  end(): void {
    if (!this.#isEnded || this.#begun.trim() !== "") throw this.#malformed("expected one whole JSON object");
  }

  checked<T>(work: () => T): T {
    try {
      return work();
    } catch (cause) {
      throw this.#malformed("expected JSON", cause);
    }
  }

  /** The index of the next significant character; the text's length if there is none. */
  #next(text: string, from: number): number {
    if (this.#isEscaped && from < text.length) {
      this.#isEscaped = false;
      return this.#next(text, from + 1);
    }
    const pattern = this.#isInText ? textEnd : structure;
    pattern.lastIndex = from;
    return pattern.exec(text)?.index ?? text.length;
  }

  /** Consumes a significant character. Returns the boundary that it marks, if any. */
  #step(character: string): "section-begins" | "entry-ends" | "section-ends" | undefined {
    if (this.#isInText) {
      if (character === "\\") this.#isEscaped = true;
      else this.#isInText = false;
      return undefined;
    }
    if (this.#isEnded || (this.#depth === 0 && character !== "{")) throw this.#malformed("expected one JSON object");
    switch (character) {
      case '"':
        this.#isInText = true;
        return undefined;
      case ",":
        return this.#depth <= 2 ? "entry-ends" : undefined;
      case "{":
      case "[":
        this.#depth++;
        if (this.#depth === 2) this.#section = { name: "", isArray: character === "[" };
        return this.#depth <= 2 ? "section-begins" : undefined;
      default:
        return this.#close(character);
    }
  }

  #close(character: string): "section-ends" | undefined {
    const expected = this.#depth === 2 && this.#section?.isArray ? "]" : "}";
    if (this.#depth <= 2 && character !== expected) throw this.#malformed(`expected ${expected}, found ${character}`);
    this.#depth--;
    this.#isEnded = this.#depth === 0;
    return this.#depth <= 1 ? "section-ends" : undefined;
  }

  *#entryOf(text: string, end: "section-begins" | "entry-ends" | "section-ends"): Generator<JsonEntry> {
    const section = this.#section;
    if (end === "section-begins") {
      if (section !== undefined) {
        this.#section = { ...section, name: this.#nameOf(text) };
        this.#options.onSection?.(this.#section.name);
      } else if (text.trim() !== "") throw this.#malformed("expected one JSON object");
      return;
    }
    if (text.trim() !== "") yield this.#parsed(text, section);
    if (end === "section-ends") this.#section = undefined;
  }

  /** `"NAME":` */
  #nameOf(text: string): string {
    const [name] = Object.keys(this.checked(() => JSON.parse(`{${text}0}`) as object));
    return name ?? "";
  }

  #parsed(text: string, section: { readonly name: string; readonly isArray: boolean } | undefined): JsonEntry {
    if (section?.isArray) return { section: section.name, value: this.checked(() => JSON.parse(text) as Json) };
    const [[name = "", value] = []] = Object.entries(
      this.checked(() => JSON.parse(`{${text}}`) as Record<string, Json>),
    );
    if (value === undefined) throw this.#malformed("expected a member");
    return section === undefined ? { section: name, value } : { section: section.name, name, value };
  }

  #malformed(expected: string, cause?: unknown): ScanError {
    return new ScanError("malformed_report", `${this.#options.what}: ${expected}`, { cause });
  }
}
