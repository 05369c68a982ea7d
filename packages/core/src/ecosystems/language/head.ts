const decoder = new TextDecoder();

/** The text of the first bytes of a file, with `\n` at line ends and without a mark of the byte order. */
export function decodeHead(bytes: Uint8Array, maxBytes: number): string {
  return decoder.decode(bytes.subarray(0, maxBytes)).replaceAll("\r\n", "\n");
}
