/**
 * A stream of bytes. A chunk is valid only until the next one is requested: producers reuse their buffers, so a consumer
 * copies the bytes that it keeps.
 */
export type Bytes = AsyncIterable<Uint8Array>;
