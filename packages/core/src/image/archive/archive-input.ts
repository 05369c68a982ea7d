import type { Bytes } from "../../bytes/bytes.ts";
import type { RandomAccess } from "./random-access.ts";

/** Bytes that are read from front to back; parts may be skipped. */
export interface ArchiveInput {
  /** The offset of the next byte. */
  readonly position: number;
  /** Reads the next bytes; fewer only at the end. They stay valid. */
  take(length: number): Promise<Uint8Array>;
  /** Skips bytes; false when the input ends before that. */
  skip(length: number): Promise<boolean>;
  /** Streams the next bytes, fewer only at the input's end. Bytes that the consumer does not read remain the next ones. */
  stream(length: number): Bytes;
}

/** An archive input on a file. Skipped bytes are not read. */
export function fileInput({ sizeBytes, read, stream }: RandomAccess): ArchiveInput {
  let position = 0;
  const advance = (length: number) => {
    position += length;
    return position;
  };
  return {
    get position() {
      return position;
    },
    take: async (length) => {
      const bytes = await read(position, Math.min(length, Math.max(0, sizeBytes - position)));
      advance(bytes.length);
      return bytes;
    },
    skip: async (length) => advance(length) <= sizeBytes,
    stream: async function* (length) {
      for await (const chunk of stream(position, length)) {
        advance(chunk.length);
        yield chunk;
      }
    },
  };
}

/**
 * An archive input on a stream. Skipped bytes are read too. After an error of the source, every later read throws the same
 * error: the reader of one member may keep the error, and the archive must still fail.
 */
export function streamInput(source: Bytes): ArchiveInput & AsyncDisposable {
  const iterator = source[Symbol.asyncIterator]();
  let rest: Uint8Array = new Uint8Array(0);
  let position = 0;
  let failure: { readonly error: unknown } | undefined;
  const pull = async (): Promise<IteratorResult<Uint8Array>> => {
    if (failure !== undefined) throw failure.error;
    try {
      return await iterator.next();
    } catch (error) {
      failure = { error };
      throw error;
    }
  };
  const next = async (atMost: number): Promise<Uint8Array | undefined> => {
    while (rest.length === 0) {
      const { done, value } = await pull();
      if (done === true) return undefined;
      rest = value;
    }
    const chunk = rest.subarray(0, atMost);
    rest = rest.subarray(chunk.length);
    position += chunk.length;
    return chunk;
  };
  async function* stream(length: number): Bytes {
    for (let left = length; left > 0; ) {
      const chunk = await next(left);
      if (chunk === undefined) return;
      left -= chunk.length;
      yield chunk;
    }
  }
  return {
    get position() {
      return position;
    },
    take: async (length) => {
      const bytes = new Uint8Array(length);
      let filled = 0;
      for await (const chunk of stream(length)) {
        bytes.set(chunk, filled);
        filled += chunk.length;
      }
      return bytes.subarray(0, filled);
    },
    skip: async (length) => {
      let skipped = 0;
      for await (const chunk of stream(length)) skipped += chunk.length;
      return skipped === length;
    },
    stream,
    [Symbol.asyncDispose]: async () => {
      await iterator.return?.();
    },
  };
}
