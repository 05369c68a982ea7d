/**
 * Long text that no thread holds as a whole at once: pieces of whole lines, each line a JSON document. A piece is small enough
 * to be sent, stored or read in a few milliseconds.
 */
export type TextPieces = readonly string[];

/** A piece is full from this many UTF-16 units on; a line goes into one piece. */
const pieceLength = 256 * 1024;

/** Joins lines to pieces. */
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
 * The documents of all lines.
 * @throws SyntaxError when a line is no JSON
 * @example
 * for (const document of parsePieces(['{"a":1}\n{"b":', "2}\n"])) console.log(document);
 */
export function* parsePieces(pieces: TextPieces): Generator<unknown> {
  for (const piece of pieces) {
    for (const line of piece.split("\n")) yield JSON.parse(line);
  }
}

/** A line of JSON becomes about this long before the next one begins. */
const lineLength = 32 * 1024;

/** Parts of a list, each of which makes a line of moderate length unless one item is longer than that. */
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
