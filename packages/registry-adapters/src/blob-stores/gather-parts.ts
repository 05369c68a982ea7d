/** How many bytes of an upload become one part, while there is enough memory. */
const partBytes = 8 * 1024 * 1024;

/** The same while there is not: many slow uploads at once. */
const smallPartBytes = 256 * 1024;

/** How many bytes of all uploads may be held before parts become small: those of sixteen large parts. */
const enoughBytes = 16 * partBytes;

/**
 * The memory in which a process holds uploads until they are written: at most 128 MiB, and 256 KiB for each upload beyond. No
 * upload waits for the memory of another, so a slow client does not delay other clients.
 */
export class UploadMemory {
  heldBytes = 0;

  /** The current size of a part: received bytes are written as soon as there are so many. */
  get partBytes(): number {
    return this.heldBytes < enoughBytes ? partBytes : smallPartBytes;
  }
}

/** Options of {@link gatherParts}. */
export interface GatherOptions {
  readonly memory: UploadMemory;
  /** The most bytes that the source may deliver. */
  readonly room: number;
  /** The error for a source that delivers more. */
  readonly overflow: Error;
  /** Called with each chunk that is no longer needed. */
  readonly onWritten?: ((chunk: Uint8Array) => void) | undefined;
  /** Called with the error, where the parts end before the source does. */
  readonly onError: (error: unknown) => void;
}

/**
 * Joins chunks into parts. Bytes before a failure of the source become a part as well. The caller must be done with a part when it
 * requests the next one.
 */
export async function* gatherParts(
  source: AsyncIterable<Uint8Array>,
  { memory, room, overflow, onWritten = () => {}, onError }: GatherOptions,
): AsyncIterable<Uint8Array> {
  let chunks: Uint8Array[] = [];
  let [bytes, left] = [0, room];
  function join(): Uint8Array {
    const part = Buffer.concat(chunks);
    chunks.forEach(onWritten);
    chunks = [];
    return part;
  }
  try {
    yield* untilItFails();
    if (bytes > 0) yield join();
  } finally {
    memory.heldBytes -= bytes;
  }

  async function* untilItFails(): AsyncIterable<Uint8Array> {
    try {
      for await (const chunk of source) {
        if (chunk.length > left) throw overflow;
        left -= chunk.length;
        chunks.push(chunk);
        bytes += chunk.length;
        memory.heldBytes += chunk.length;
        if (bytes < memory.partBytes) continue;
        yield join();
        memory.heldBytes -= bytes;
        bytes = 0;
      }
    } catch (error) {
      onError(error);
    }
  }
}
