/**
 * A long text as pieces of whole lines, each line a JSON document. A piece is small enough to be sent, stored or parsed in a few
 * milliseconds.
 */
export type TextPieces = readonly string[];

/** The UTF-16 length at which a piece is full. A line is never split. */
const pieceLength = 256 * 1024;

/** Joins lines into pieces. */
export function toPieces(lines: Iterable<string>): TextPieces {
  const pieces: string[] = [];
  let piece = "";
  for (const line of lines) {
    piece = piece === "" ? line : `${piece}\n${line}`;
    if (piece.length < pieceLength) continue;
    pieces.push(piece);
    piece = "";
  }
  if (piece !== "") pieces.push(piece);
  return pieces;
}

/**
 * Parses the documents of all lines.
 * @throws SyntaxError for a line that is not JSON
 * @example
 * for (const document of parsePieces(['{"a":1}\n{"b":2}', '{"c":3}'])) console.log(document);
 */
export function* parsePieces(pieces: TextPieces): Generator<unknown> {
  for (const piece of pieces) {
    for (const line of piece.split("\n")) yield JSON.parse(line);
  }
}

/** The approximate length at which a line of JSON is full. */
const lineLength = 32 * 1024;

/** Splits a list into parts for one line each. A line is longer than the limit only because of its last item. */
export function* parts<Item>(items: Iterable<Item>): Generator<readonly Item[]> {
  let part: Item[] = [];
  let length = 0;
  for (const item of items) {
    part.push(item);
    length += JSON.stringify(item).length;
    if (length < lineLength) continue;
    yield part;
    part = [];
    length = 0;
  }
  if (part.length > 0) yield part;
}
