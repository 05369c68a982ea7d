import type { Bytes } from "./bytes.ts";

/** The first bytes of a stream, and the whole stream. */
export interface Peeked {
  /** At least the requested number of bytes; fewer only where that is the whole stream. */
  readonly head: Uint8Array;
  /** The stream from its beginning; can be read once. */
  readonly bytes: Bytes;
}

/**
 * Reads the first bytes of a stream without consuming them. A first chunk that is long enough is not copied.
 * @example
 * declare const source: Bytes;
 * const { head, bytes } = await peekBytes(source, 512);
 */
export async function peekBytes(source: Bytes, minBytes: number): Promise<Peeked> {
  const iterator = source[Symbol.asyncIterator]();
  const head = await readHead(iterator, minBytes);
  return { head, bytes: resume(head, iterator) };
}

async function readHead(iterator: AsyncIterator<Uint8Array>, minBytes: number): Promise<Uint8Array> {
  let head: Uint8Array = new Uint8Array(0);
  while (head.length < minBytes) {
    const result = await iterator.next();
    if (result.done) break;
    if (head.length === 0 && result.value.length >= minBytes) return result.value;
    const joined = new Uint8Array(head.length + result.value.length);
    joined.set(head);
    joined.set(result.value, head.length);
    head = joined;
  }
  return head;
}

/** Releases the source even if its consumer stops before the first chunk: a generator that has not started does not run its `finally`. */
function resume(head: Uint8Array, iterator: AsyncIterator<Uint8Array>): Bytes {
  const all = allOf(head, iterator);
  const iterable: AsyncIterableIterator<Uint8Array> = {
    next: () => all.next(),
    return: async () => {
      await all.return(undefined);
      await iterator.return?.();
      return { done: true, value: undefined };
    },
    [Symbol.asyncIterator]: () => iterable,
  };
  return iterable;
}

async function* allOf(head: Uint8Array, iterator: AsyncIterator<Uint8Array>): AsyncGenerator<Uint8Array, void> {
  if (head.length > 0) yield head;
  for (let result = await iterator.next(); !result.done; result = await iterator.next()) yield result.value;
}
