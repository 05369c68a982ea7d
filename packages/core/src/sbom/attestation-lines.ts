/** Texts with more lines are no attestations of one image. */
const maxLines = 1000;
const [lineFeed, openBrace, closeBrace] = [0x0a, 0x7b, 0x7d];

/**
 * The documents of a text with one JSON object a line, as `cosign download attestation` prints attestations; undefined for a text that is one document,
 * or that has more lines than are read.
 * @see https://jsonlines.org/
 */
export function attestationLines(bytes: Uint8Array): readonly Uint8Array[] | undefined {
  const end = bytes.indexOf(lineFeed);
  if (end < 0 || !isObjectLine(bytes.subarray(0, end))) return undefined;
  const lines: Uint8Array[] = [];
  for (let at = 0; at < bytes.length && lines.length <= maxLines; ) {
    const next = bytes.indexOf(lineFeed, at);
    const line = trimmed(bytes.subarray(at, next < 0 ? bytes.length : next));
    if (line.length > 0) lines.push(line);
    at = next < 0 ? bytes.length : next + 1;
  }
  return lines.length > 1 && lines.length <= maxLines ? lines : undefined;
}

function isObjectLine(bytes: Uint8Array): boolean {
  const line = trimmed(bytes);
  return line.length > 2 && line[0] === openBrace && line.at(-1) === closeBrace;
}

/** A line without the blanks around it. */
function trimmed(line: Uint8Array): Uint8Array {
  const start = line.findIndex((byte) => byte > 0x20);
  return start < 0 ? line.subarray(0, 0) : line.subarray(start, line.findLastIndex((byte) => byte > 0x20) + 1);
}
