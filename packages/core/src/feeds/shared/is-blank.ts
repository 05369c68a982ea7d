/** Whether bytes are only blanks and a byte order mark, and fewer than 1024. */
export function isBlank(bytes: Uint8Array): boolean {
  return bytes.length < 1024 && new TextDecoder().decode(bytes).trim() === "";
}
