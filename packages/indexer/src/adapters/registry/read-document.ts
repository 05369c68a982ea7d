import { type Bytes, ScanError } from "@plimsoll/core";
import { readBody } from "@plimsoll/outbound";

/**
 * Reads a document of a registry or of a container engine into memory.
 * @param what the document, for messages
 * @throws ScanError `malformed_image` for more than `maxBytes`; network errors
 */
export async function readDocument(body: Bytes, maxBytes: number, what: string): Promise<Uint8Array> {
  const tooLarge = () => new ScanError("malformed_image", `${what}: expected at most ${maxBytes} bytes, found more`);
  return readBody(body, { maxBytes, tooLarge });
}
