import type { Bytes } from "../../bytes/bytes.ts";
import { concatBytes } from "../../bytes/concat-bytes.ts";
import { malformedFeed } from "./malformed-feed.ts";

/** The maximal size of one line. */
const maxLineBytes = 64 * 1024;

const [newline, carriageReturn] = [0x0a, 0x0d];

/**
 * The lines of a UTF-8 text, without their ends (`\n` or `\r\n`). Memory is limited by a line. The last line need not
 * have an end.
 * @throws ScanError `malformed_feed` with `location` in its message, for a line of more than 64 KiB and for invalid UTF-8
 */
export async function* textLines(source: Bytes, location: string): AsyncGenerator<string> {
  const decoder = new TextDecoder("utf-8", { fatal: true });
  let begun: Uint8Array = new Uint8Array();
  for await (const chunk of source) {
    let start = 0;
    for (let end = chunk.indexOf(newline); end >= 0; end = chunk.indexOf(newline, start)) {
      const line = begun.length === 0 ? chunk.subarray(start, end) : concatBytes([begun, chunk.subarray(start, end)]);
      begun = new Uint8Array();
      start = end + 1;
      yield decodeLine(decoder, line, location);
    }
    begun = concatBytes([begun, chunk.subarray(start)]);
    checkLength(begun, location);
  }
  if (begun.length > 0) yield decodeLine(decoder, begun, location);
}

function decodeLine(decoder: TextDecoder, line: Uint8Array, location: string): string {
  checkLength(line, location);
  const text = line.at(-1) === carriageReturn ? line.subarray(0, -1) : line;
  try {
    return decoder.decode(text);
  } catch (cause) {
    throw malformedFeed(location, "expected UTF-8, found other bytes", cause);
  }
}

function checkLength(line: Uint8Array, location: string): void {
  if (line.length > maxLineBytes) throw malformedFeed(location, `expected lines of at most ${maxLineBytes} bytes`);
}
