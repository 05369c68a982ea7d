/** Whether there is nothing but blanks and a byte order mark. */
export function isBlank(bytes: Uint8Array): boolean {
  return bytes.length < 1024 && new TextDecoder().decode(bytes).trim() === "";
}
