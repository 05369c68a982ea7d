/** Text is handed on in portions of about this length. */
const portionLength = 64 * 1024;

/** Down to here objects and arrays are written member by member; what lies deeper is written at once. */
const depth = 2;

/**
 * The JSON of a value in portions, so that a large report is never one text in memory. An async iterable among its members
 * is written as an array while it comes.
 */
export async function* jsonPieces(value: unknown): AsyncGenerator<string> {
  let portion = "";
  for (const piece of pieces(value, depth)) {
    if (typeof piece === "string") portion += piece;
    else portion = yield* inPortions(portion, arrayOf(piece));
    if (portion.length < portionLength) continue;
    yield portion;
    portion = "";
  }
  if (portion !== "") yield portion;
}

/** A line of JSON for each item, handed on at once: who reads wants to go on with it. */
export async function* jsonLines(items: AsyncIterable<unknown>): AsyncGenerator<string> {
  for await (const item of items) yield `${JSON.stringify(item)}\n`;
}

/** Hands on whole portions and returns what is left. */
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

function* pieces(value: unknown, levels: number): Generator<string | AsyncIterable<unknown>> {
  if (isAsyncIterable(value)) {
    yield value;
  } else if (levels > 0 && Array.isArray(value)) {
    yield* listed("[", value, (item) => pieces(item ?? null, levels - 1));
    yield "]";
  } else if (levels > 0 && isPlain(value)) {
    const members = Object.entries(value).filter(([, member]) => member !== undefined);
    yield* listed("{", members, ([name, member]) => named(name, pieces(member, levels - 1)));
    yield "}";
  } else {
    yield JSON.stringify(value);
  }
}

type Pieces = Generator<string | AsyncIterable<unknown>>;

function* listed<Item>(open: string, items: Iterable<Item>, write: (item: Item) => Pieces): Pieces {
  let separator = open;
  for (const item of items) {
    yield separator;
    yield* write(item);
    separator = ",";
  }
  if (separator === open) yield open;
}

function* named(name: string, value: Pieces): Pieces {
  yield `${JSON.stringify(name)}:`;
  yield* value;
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
