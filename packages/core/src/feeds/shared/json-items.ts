import type { Bytes } from "../../bytes/bytes.ts";
import { concatBytes } from "../../bytes/concat-bytes.ts";
import { malformedFeed } from "./malformed-feed.ts";

/** The maximal size of one item. */
const maxItemBytes = 16 * 1024 ** 2;

/** Options of {@link jsonItems}. */
export interface JsonItemsOptions {
  /** Names the document in messages. */
  readonly location: string;
  /** The member of the outermost object that is the array of items. */
  readonly member: string;
}

/**
 * The items of one array of a JSON document, each as its JSON text. Memory is limited by the largest item, not by the document. An item is
 * valid until the next one is requested.
 *
 * ```
 * document = "{" [member {"," member}] "}"
 * member   = string ":" ( "[" [item {"," item}] "]" | value )
 * ```
 * Only strings and brackets are parsed; an item may be malformed JSON.
 *
 * @throws ScanError `malformed_feed` when the document is not an object, is truncated or has no such array
 */
export async function* jsonItems(source: Bytes, options: JsonItemsOptions): AsyncGenerator<Uint8Array> {
  const scan = new ItemScan(options);
  for await (const chunk of source) yield* scan.read(chunk);
  scan.end();
}

const quote = 0x22;
const comma = 0x2c;
const backslash = 0x5c;
const openBracket = 0x5b;
const closeBracket = 0x5d;
const openBrace = 0x7b;
const closeBrace = 0x7d;

class ItemScan {
  readonly #options: JsonItemsOptions;
  #depth = 0;
  #inString = false;
  #escaped = false;
  #isWithin: "before" | "document" | "items" | "after" = "before";
  #arrays = 0;
  #items = 0;
  /** Pieces from earlier chunks of an item or of a member's name. */
  #pieces: Uint8Array[] = [];
  #pieceBytes = 0;

  constructor(options: JsonItemsOptions) {
    this.#options = options;
  }

  *read(chunk: Uint8Array): Generator<Uint8Array> {
    let start = 0;
    for (let at = 0; at < chunk.length; at++) {
      if (!this.#isBoundary(chunk[at] ?? 0)) continue;
      const bytes = this.#take(chunk.subarray(start, at));
      start = at + 1;
      if (this.#cross(chunk[at] ?? 0, bytes)) yield bytes;
    }
    this.#keep(chunk.slice(start));
  }

  end(): void {
    if (this.#isWithin !== "after" || !isBlank(this.#take(new Uint8Array())))
      throw this.#malformed("expected one JSON object, found the end of the document or more after it");
    if (this.#arrays === 0) throw this.#malformed(`expected an array ${JSON.stringify(this.#options.member)}`);
  }

  /** Processes one byte; returns whether a member or an item may begin or end at it. */
  #isBoundary(code: number): boolean {
    if (this.#inString) {
      if (this.#escaped) this.#escaped = false;
      else if (code === backslash) this.#escaped = true;
      else if (code === quote) this.#inString = false;
      return false;
    }
    switch (code) {
      case quote:
        this.#inString = true;
        return false;
      case openBrace:
      case openBracket:
        return ++this.#depth <= 2;
      case closeBrace:
      case closeBracket:
        return --this.#depth <= 1;
      default:
        return code === comma && this.#depth === (this.#isWithin === "items" ? 2 : 1);
    }
  }

  /** Keeps the end of a chunk, unless it is inside another member. */
  #keep(piece: Uint8Array): void {
    if (this.#isWithin !== "items" && this.#depth > 1) return;
    this.#pieces.push(piece);
    this.#pieceBytes += piece.length;
    if (this.#pieceBytes > maxItemBytes) throw this.#malformed(`an item of more than ${maxItemBytes} bytes`);
  }

  /** Returns the kept pieces followed by `bytes`, and clears them. */
  #take(bytes: Uint8Array): Uint8Array {
    if (this.#pieces.length === 0) return bytes;
    const whole = concatBytes([...this.#pieces, bytes]);
    this.#pieces = [];
    this.#pieceBytes = 0;
    return whole;
  }

  /** Processes the boundary after `bytes`; returns whether they are an item. */
  #cross(code: number, bytes: Uint8Array): boolean {
    switch (this.#isWithin) {
      case "before":
        if (code !== openBrace || !isBlank(bytes)) throw this.#malformed("expected a JSON object");
        this.#isWithin = "document";
        return false;
      case "document":
        if (code === openBracket && this.#depth === 2 && this.#isWanted(bytes)) this.#beginItems();
        if (this.#depth === 0) this.#isWithin = "after";
        return false;
      case "items":
        if (this.#depth > 2) return false;
        if (code !== comma) this.#isWithin = "document";
        return this.#items++ > 0 || code === comma || !isBlank(bytes);
      case "after":
        throw this.#malformed("expected the end of the document, found more");
    }
  }

  #beginItems(): void {
    this.#isWithin = "items";
    this.#arrays++;
    this.#items = 0;
  }

  /** Whether the text before an array is the name of the wanted member. */
  #isWanted(bytes: Uint8Array): boolean {
    const text = new TextDecoder().decode(bytes).trim();
    return text.endsWith(":") && text.slice(0, -1).trimEnd() === JSON.stringify(this.#options.member);
  }

  #malformed(message: string): Error {
    return malformedFeed(this.#options.location, message);
  }
}

/** Whether bytes are only blanks and a byte order mark, and fewer than 1024. */
export function isBlank(bytes: Uint8Array): boolean {
  return bytes.length < 1024 && new TextDecoder().decode(bytes).trim() === "";
}
