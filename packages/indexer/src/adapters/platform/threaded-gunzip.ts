import { MessageChannel } from "node:worker_threads";
import { type Bytes, type Decompress, type DecompressOptions, peekBytes } from "@plimsoll/core";
import { readPipe, writePipe } from "./byte-pipe.ts";
import type { InflateThread, InflateThreads } from "./inflate-threads.ts";

/** What a threaded gzip decompressor is made of. */
export interface ThreadedGunzipOptions {
  readonly threads: InflateThreads;
  /** For streams that are small or of unknown size, and when no thread is idle. */
  readonly inline: Decompress;
  /** Compressed bytes from which on a thread is worth its start. */
  readonly minBytes: number;
}

/**
 * A gzip decompressor that leaves large streams to other threads, while this one hashes and walks what they give. It reads
 * ahead, a few buffers at most.
 */
export function threadedGunzip({ threads, inline, minBytes }: ThreadedGunzipOptions): Decompress {
  return async function* gunzip(source: Bytes, options: DecompressOptions = {}): Bytes {
    const thread = (options.sizeBytes ?? 0) < minBytes ? undefined : threads.borrow();
    if (thread === undefined) {
      yield* inline(source, options);
      return;
    }
    try {
      yield* inflateIn(thread, source, options);
    } finally {
      thread.release();
    }
  };
}

/** The same for streams of unknown size: the first `minBytes` say whether there are so many. */
export function measuredGunzip(gunzip: Decompress, minBytes: number): Decompress {
  return async function* measured(source: Bytes, options: DecompressOptions = {}): Bytes {
    const { head, bytes } = await peekBytes(source, minBytes);
    yield* gunzip(bytes, { ...options, sizeBytes: head.length });
  };
}

async function* inflateIn(thread: InflateThread, source: Bytes, { isVerified = false }: DecompressOptions): Bytes {
  const input = new MessageChannel();
  const output = new MessageChannel();
  thread.start({ input: input.port2, output: output.port2, isVerified });
  const feeding = writePipe(input.port1, source);
  feeding.catch(() => {}); // it is awaited below; until then a failure must not count as unhandled
  try {
    yield* readPipe(output.port1);
  } catch (error) {
    input.port1.close();
    await feeding; // a failure of the source says more than what the thread made of it
    throw error;
  } finally {
    input.port1.close();
    await feeding.catch(() => {});
  }
}
