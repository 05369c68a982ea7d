/** How many bytes of an upload become a part, while there is memory enough. */
const partBytes = 8 * 1024 * 1024;

/** How many where there is not: many slow uploads at once. */
const smallPartBytes = 256 * 1024;

/** How much may be held of all uploads before parts become small: sixteen large ones. */
const enoughBytes = 16 * partBytes;

/**
 * The memory in which a process holds uploads until they are written: at most 128 MiB, and 256 KiB for each upload beyond. No
 * upload waits for the memory of another, so a slow client does not delay other clients.
 */
export class UploadMemory {
  heldBytes = 0;

  /** How much of an upload is to be written as soon as it is there. */
  get partBytes(): number {
    return this.heldBytes < enoughBytes ? partBytes : smallPartBytes;
  }
}

/** How {@link gatherParts} works. */
export interface GatherOptions {
  readonly memory: UploadMemory;
  /** How many bytes the source may bring. */
  readonly room: number;
  /** What it is told that brings more. */
  readonly overflow: Error;
  /** Told of each chunk that is not needed any more. */
  readonly onWritten?: ((chunk: Uint8Array) => void) | undefined;
  /** Told why there are no more parts, where that is not the end of the source. */
  readonly onError: (error: unknown) => void;
}

/** Joins chunks to parts; what came before the source failed is a part as well. A part is to be done with when the next is asked for. */
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
