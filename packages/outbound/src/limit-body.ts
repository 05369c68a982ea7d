/** The size limit of a body. */
export interface BodyCap {
  readonly maxBytes: number;
  /** Makes what is thrown for a longer body. */
  readonly tooLarge: () => Error;
}

/**
 * The chunks of a body, as long as they are within a cap.
 * @throws what `tooLarge` makes, before the chunk that is too much
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
 * A whole body in memory.
 * @throws what `tooLarge` makes, and what the network throws
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
