import type { Bytes } from "../../bytes/bytes.ts";

/** The beginning of some bytes, and all of them. */
export interface Peeked {
  /** Shorter than asked for only when there are no more bytes. */
  readonly head: Uint8Array;
  readonly bytes: Bytes;
  /** Lets go of the source when `bytes` is not read at all. */
  close(): Promise<void>;
}

/** Looks at the first bytes. A consumer that stops reading `bytes` releases the source. */
export async function peek(source: Bytes, length: number): Promise<Peeked> {
  const iterator = source[Symbol.asyncIterator]();
  const head = new Uint8Array(length);
  let filled = 0;
  let rest: Uint8Array = head.subarray(0, 0);
  while (filled < length) {
    const next = await iterator.next();
    if (next.done === true) break;
    const taken = next.value.subarray(0, length - filled);
    head.set(taken, filled);
    filled += taken.length;
    rest = next.value.subarray(taken.length);
  }
  const first = head.subarray(0, filled);
  const close = async () => void (await iterator.return?.());
  return { head: first, bytes: resume([first, rest], iterator), close };
}

async function* resume(begun: readonly Uint8Array[], iterator: AsyncIterator<Uint8Array>): Bytes {
  try {
    for (const chunk of begun) if (chunk.length > 0) yield chunk;
    for (let next = await iterator.next(); next.done !== true; next = await iterator.next()) yield next.value;
  } finally {
    await iterator.return?.();
  }
}
