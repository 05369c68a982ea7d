/** The size limit of a body. */
export interface BodyCap {
  readonly maxBytes: number;
  /** Creates the error for a longer body. */
  readonly tooLarge: () => Error;
}

/**
 * Yields the chunks of a body up to a size limit.
 * @throws the error of `tooLarge`, before the chunk that exceeds the limit
 * @example
 * declare const body: AsyncIterable<Uint8Array>;
 * const cap = { maxBytes: 1024, tooLarge: () => new RangeError("expected at most 1024 bytes") };
 * for await (const chunk of limitBody(body, cap)) process.stdout.write(chunk);
 */
export async function* limitBody(
  body: AsyncIterable<Uint8Array>,
  { maxBytes, tooLarge }: BodyCap,
): AsyncGenerator<Uint8Array> {
  let seen = 0;
  for await (const chunk of body) {
    seen += chunk.length;
    if (seen > maxBytes) throw tooLarge();
    yield chunk;
  }
}

/**
 * Reads a whole body into memory.
 * @throws the error of `tooLarge`, and errors of the network
 * @example
 * declare const response: OutboundResponse;
 * const cap = { maxBytes: 1024, tooLarge: () => new RangeError("expected at most 1024 bytes") };
 * const text = (await readBody(response.body, cap)).toString("utf8");
 */
export async function readBody(body: AsyncIterable<Uint8Array>, cap: BodyCap): Promise<Buffer<ArrayBuffer>> {
  const chunks: Uint8Array[] = [];
  // A chunk is valid only until the next one.
  for await (const chunk of limitBody(body, cap)) chunks.push(Uint8Array.from(chunk));
  return Buffer.concat(chunks);
}
