import { type Bytes, ScanError } from "@plimsoll/core";

/**
 * A body in memory.
 * @param what names it in messages
 * @throws ScanError `malformed_image` for more than `maxBytes`; whatever the network throws
 */
export async function readBody(body: Bytes, maxBytes: number, what: string): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  let seen = 0;
  for await (const chunk of body) {
    seen += chunk.length;
    if (seen > maxBytes)
      throw new ScanError("malformed_image", `${what}: expected at most ${maxBytes} bytes, found more`);
    chunks.push(Uint8Array.from(chunk)); // valid only until the next one
  }
  return Buffer.concat(chunks);
}
