import type { Bytes } from "./bytes.ts";

/** The beginning of a stream, and all of it. */
export interface Peeked {
  /** As many bytes as were asked for, or a few more; fewer only where that is the whole stream. */
  readonly head: Uint8Array;
  /** The stream from its beginning, once. */
  readonly bytes: Bytes;
}

/**
 * Looks at the beginning of a stream. A first chunk that is long enough is taken as it is, others are joined.
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

/** Lets the source go when its consumer stops, also before it began: a generator that has not begun does not get to its `finally`. */
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
