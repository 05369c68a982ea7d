const decoder = new TextDecoder();

/** The text of the first bytes of a file, with `\n` as line ends and without a byte order mark. */
export function decodeHead(bytes: Uint8Array, maxBytes: number): string {
  return decoder.decode(bytes.subarray(0, maxBytes)).replaceAll("\r\n", "\n");
}
