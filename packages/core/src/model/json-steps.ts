import type { Json } from "./json-value.ts";
import type { Steps } from "./slices.ts";

/** Lists and objects that are longer are parsed in parts of about this length, of which each takes a few milliseconds at most. */
const usualPartLength = 64 * 1024;

/** How much a document may hold: parsing millions of values takes as many hundred megabytes. */
export interface JsonStepLimits {
  readonly mostValues: number;
  readonly mostDepth: number;
  /** 64 Ki characters by default. */
  readonly partLength?: number;
}

/** A text, and where its long lists and objects begin. */
interface Source {
  readonly text: string;
  readonly long: ReadonlySet<number>;
  readonly partLength: number;
}

/**
 * Parses a JSON document as `JSON.parse` does, in steps between which other work can run.
 * @throws SyntaxError if it is malformed, holds too much, or is nested too deep
 */
export function* jsonSteps(text: string, limits: JsonStepLimits): Steps<Json> {
  const { partLength = usualPartLength } = limits;
  const long = yield* longContainers(text, { ...limits, partLength });
  const from = afterBlanks(text, 0);
  if (!long.has(from)) return JSON.parse(text) as Json;
  const { value, end } = yield* containerAt({ text, long, partLength }, from);
  const rest = afterBlanks(text, end);
  if (rest < text.length) throw unexpectedAt(text, rest, "the end");
  return value;
}

/** Where the lists and objects begin that are longer than a part. Their text is read once. */
function* longContainers(
  text: string,
  { mostValues, mostDepth, partLength }: Required<JsonStepLimits>,
): Steps<ReadonlySet<number>> {
  const [long, open] = [new Set<number>(), [] as number[]];
  let [values, pauseAt] = [1, partLength];
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === quote) at = endOfText(text, at);
    else if (code === comma) values++;
    else if (isOpening(code)) {
      values++;
      if (open.push(at) > mostDepth) throw new SyntaxError(`nested more than ${mostDepth} levels deep`);
    } else if (isClosing(code)) {
      const from = open.pop() ?? at;
      if (at - from > partLength) long.add(from);
    }
    if (values > mostValues) throw new SyntaxError(`more than ${mostValues} values`);
    if (at < pauseAt) continue;
    yield;
    pauseAt = at + partLength;
  }
  if (open.length > 0) throw unexpectedAt(text, text.length, "the end of a list or an object");
  return long;
}

/** A parsed value, and the position after it. */
interface Parsed {
  readonly value: Json;
  readonly end: number;
}

/** Parses a long list or object. */
function* containerAt(source: Source, at: number): Steps<Parsed> {
  const { text } = source;
  const container = text.charCodeAt(at) === openList ? new ListParts() : new ObjectParts();
  for (let from = at + 1, isFirst = true; ; isFirst = false) {
    const { end, inner } = nextPart(source, from);
    if (inner === undefined) {
      const part = text.slice(from, end);
      const isEmpty = part.trim() === "";
      if (isEmpty && !(isFirst && text[end] === container.close)) throw unexpectedAt(text, end, "a value");
      container.addPart(part);
      from = end;
    } else {
      const parsed = yield* containerAt(source, inner);
      container.addLong(text.slice(from, inner), parsed.value);
      from = afterBlanks(text, parsed.end);
    }
    yield;
    if (text[from] === container.close) return { value: container.value, end: from + 1 };
    if (text[from] !== ",") throw unexpectedAt(text, from, `, or ${container.close}`);
    from++;
  }
}

/** The end of some items that are parsed together; or of what is before an item that is long, and where that begins. */
function nextPart({ text, long, partLength }: Source, from: number): { readonly end: number; readonly inner?: number } {
  let [depth, item] = [0, from];
  for (let at = from; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === quote) at = endOfText(text, at);
    else if (isOpening(code)) {
      if (depth === 0 && long.has(at)) return item === from ? { end: at, inner: at } : { end: item - 1 };
      depth++;
    } else if (isClosing(code)) {
      if (depth === 0) return { end: at };
      depth--;
    } else if (code === comma && depth === 0) {
      if (at - from >= partLength) return { end: at };
      item = at + 1;
    }
  }
  return { end: text.length };
}

class ListParts {
  readonly close = "]";
  readonly value: Json[] = [];

  addPart(text: string): void {
    for (const item of JSON.parse(`[${text}]`) as Json[]) this.value.push(item);
  }

  addLong(before: string, item: Json): void {
    JSON.parse(`[${before}0]`); // nothing but blanks may be before it
    this.value.push(item);
  }
}

class ObjectParts {
  readonly close = "}";
  readonly value: Record<string, Json> = {};

  addPart(text: string): void {
    const members = JSON.parse(`{${text}}`) as Record<string, Json>;
    for (const name of Object.keys(members)) this.#put(name, members[name] as Json);
  }

  addLong(before: string, item: Json): void {
    for (const name of Object.keys(JSON.parse(`{${before}0}`) as object)) this.#put(name, item);
  }

  /** Also a member `__proto__`, which an assignment would not create. */
  #put(name: string, value: Json): void {
    if (name !== "__proto__") this.value[name] = value;
    else Object.defineProperty(this.value, name, { value, enumerable: true, configurable: true, writable: true });
  }
}

const [quote, backslash, comma] = [0x22, 0x5c, 0x2c];
const [openList, closeList, openObject, closeObject] = [0x5b, 0x5d, 0x7b, 0x7d];

function isOpening(code: number): boolean {
  return code === openList || code === openObject;
}

function isClosing(code: number): boolean {
  return code === closeList || code === closeObject;
}

/** The position of the quote that ends a text. */
function endOfText(text: string, from: number): number {
  for (let at = from; ; ) {
    at = text.indexOf('"', at + 1);
    if (at < 0) return text.length;
    let escapes = 0;
    while (text.charCodeAt(at - 1 - escapes) === backslash) escapes++;
    if (escapes % 2 === 0) return at;
  }
}

function afterBlanks(text: string, from: number): number {
  let at = from;
  while (" \t\n\r".includes(text[at] ?? "x")) at++;
  return at;
}

function unexpectedAt(text: string, at: number, expected: string): SyntaxError {
  const found = at < text.length ? JSON.stringify(text[at]) : "the end";
  return new SyntaxError(`expected ${expected} at position ${at}, found ${found}`);
}
