/** Text is yielded in portions of about this length. */
const portionLength = 64 * 1024;

/** The default depth down to which objects and arrays are written member by member. */
const depth = 2;

/**
 * A text in parts, which {@link jsonPieces} writes as one string, part by part: escaping one of many megabytes takes long.
 * @example
 * const pieces = jsonPieces({ content: new LongText(["first line\n", "second line\n"]) });
 */
export class LongText {
  readonly parts: readonly string[];

  constructor(parts: readonly string[]) {
    this.parts = parts;
  }

  toJSON(): string {
    return this.parts.join("");
  }
}

/**
 * The JSON of a value in portions, so that a large report is never one text in memory. A member that is an async iterable is written as
 * an array while it is iterated.
 * @param levels the depth down to which values are split into portions; deeper values are written at once
 * @example
 * import { once } from "node:events";
 * import type { Writable } from "node:stream";
 *
 * async function write(report: unknown, to: Writable) {
 *   for await (const piece of jsonPieces(report)) {
 *     if (!to.write(piece)) await once(to, "drain");
 *   }
 * }
 */
export async function* jsonPieces(value: unknown, levels = depth): AsyncGenerator<string> {
  let portion = "";
  for (const piece of pieces(value, levels)) {
    if (typeof piece === "string") portion += piece;
    else portion = yield* inPortions(portion, arrayOf(piece));
    if (portion.length < portionLength) continue;
    yield portion;
    portion = "";
  }
  if (portion !== "") yield portion;
}

/** A line of JSON for each item, yielded at once, so that readers can process it. */
export async function* jsonLines(items: AsyncIterable<unknown>): AsyncGenerator<string> {
  for await (const item of items) yield `${JSON.stringify(item)}\n`;
}

/** Yields full portions and returns the rest. */
async function* inPortions(begun: string, texts: AsyncIterable<string>): AsyncGenerator<string, string> {
  let portion = begun;
  for await (const text of texts) {
    portion += text;
    if (portion.length < portionLength) continue;
    yield portion;
    portion = "";
  }
  return portion;
}

type Pieces = Generator<string | AsyncIterable<unknown>>;

function* pieces(value: unknown, levels: number): Pieces {
  if (isAsyncIterable(value)) yield value;
  else if (value instanceof LongText) yield* textPieces(value);
  else if (levels > 0 && Array.isArray(value)) yield* listed({ open: "[", close: "]" }, labelItems(value), levels - 1);
  else if (levels > 0 && isPlain(value)) yield* listed({ open: "{", close: "}" }, labelMembers(value), levels - 1);
  else yield JSON.stringify(value);
}

/** The halves of a character that is divided between two parts are escaped, and mean the character all the same. */
function* textPieces({ parts }: LongText): Pieces {
  yield '"';
  for (const part of parts) yield JSON.stringify(part).slice(1, -1);
  yield '"';
}

/** The values of an object or array, each with the text before it. */
type Labelled = Iterable<readonly [label: string, value: unknown]>;

function* labelItems(items: readonly unknown[]): Labelled {
  for (const item of items) yield ["", item ?? null];
}

function* labelMembers(members: Readonly<Record<string, unknown>>): Labelled {
  for (const [name, value] of Object.entries(members)) {
    if (value !== undefined) yield [`${JSON.stringify(name)}:`, value];
  }
}

/** Most of the time is spent in the lowest level, so it yields one piece for each value, without another generator. */
function* listed(
  { open, close }: { readonly open: string; readonly close: string },
  labelled: Labelled,
  levels: number,
): Pieces {
  let separator = open;
  for (const [label, value] of labelled) {
    if (levels === 0 && !isAsyncIterable(value) && !(value instanceof LongText)) {
      yield `${separator}${label}${JSON.stringify(value)}`;
    } else {
      yield `${separator}${label}`;
      yield* pieces(value, levels);
    }
    separator = ",";
  }
  yield separator === open ? `${open}${close}` : close;
}

async function* arrayOf(items: AsyncIterable<unknown>): AsyncGenerator<string> {
  let separator = "[";
  for await (const item of items) {
    yield `${separator}${JSON.stringify(item)}`;
    separator = ",";
  }
  yield separator === "[" ? "[]" : "]";
}

function isAsyncIterable(value: unknown): value is AsyncIterable<unknown> {
  return typeof value === "object" && value !== null && Symbol.asyncIterator in value;
}

function isPlain(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !("toJSON" in value);
}
