/**
 * A stream of bytes. A chunk is only valid until the next one is asked for: producers reuse their buffers, so a
 * consumer that keeps bytes copies them.
 */
export type Bytes = AsyncIterable<Uint8Array>;
