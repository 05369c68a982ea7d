import { createHash } from "node:crypto";

/**
 * A UUID derived from the content of a document: equal content gives an equal UUID.
 *
 * @see https://www.rfc-editor.org/rfc/rfc9562#section-5.8 (version 8: the application defines the bits)
 */
export function contentUuid(content: unknown): string {
  const bytes = createHash("sha256").update(JSON.stringify(content)).digest().subarray(0, 16);
  bytes[6] = ((bytes[6] ?? 0) & 0x0f) | 0x80;
  bytes[8] = ((bytes[8] ?? 0) & 0x3f) | 0x80;
  return bytes.toString("hex").replace(/^(.{8})(.{4})(.{4})(.{4})/, "$1-$2-$3-$4-");
}
