/**
 * Lets somebody read layers while they are pushed. The push waits for a slow reader, up to a measure; a reader that fails or
 * stalls is left behind, and the push goes on without it.
 */

/** Reads what is pushed. */
export interface LayerObserver {
  /** Begins to read an upload. Its stream ends when all of it has come, and throws when the rest is not going to. */
  observe(stream: AsyncIterable<Uint8Array>): LayerObservation;
}

/** One upload that is read. */
export interface LayerObservation {
  /** The upload has become the blob of that digest, which its stream has been verified to be. */
  commit(digest: string): void;
  /** The upload has not become a blob: what was read is to be forgotten. */
  abandon(): void;
}

/** How long the push waits. */
export interface ObserveOptions {
  readonly observer: LayerObserver;
  /** Resolves after that time. */
  readonly sleep: (delayMs: number, signal: AbortSignal) => Promise<unknown>;
  /** How long one chunk may take the reader. 5000 where absent. */
  readonly patienceMs?: number;
}

/** The uploads that are read, of one process. */
export interface LayerObservations {
  /** The same bytes as they come from the client; a copy to the observer, as long as it follows from the beginning. */
  tee(uploadId: string, offset: number, source: AsyncIterable<Uint8Array>): AsyncIterable<Uint8Array>;
  commit(uploadId: string, digest: string): void;
  abandon(uploadId: string): void;
}

/** How many uploads are read at most: those of clients that never came back are among them. */
const maxObserved = 64;

/** Nobody reads. */
export const noObservations: LayerObservations = {
  tee: (_uploadId, _offset, source) => source,
  commit: () => {},
  abandon: () => {},
};

/** Observes uploads that begin in this process. */
export function observeLayers({ observer, sleep, patienceMs = 5_000 }: ObserveOptions): LayerObservations {
  const observed = new Map<string, ObservedUpload>();

  function abandon(uploadId: string): void {
    observed.get(uploadId)?.abandon();
    observed.delete(uploadId);
  }

  function begin(uploadId: string): ObservedUpload {
    const [oldest] = observed.keys();
    if (observed.size >= maxObserved && oldest !== undefined) abandon(oldest);
    const upload = new ObservedUpload(observer, (signal) => sleep(patienceMs, signal));
    observed.set(uploadId, upload);
    return upload;
  }

  return {
    async *tee(uploadId, offset, source) {
      if (offset === 0) abandon(uploadId);
      const upload = offset === 0 ? begin(uploadId) : observed.get(uploadId);
      if (upload === undefined || upload.bytes !== offset) {
        abandon(uploadId);
        yield* source;
        return;
      }
      for await (const chunk of source) {
        await upload.push(chunk);
        yield chunk;
      }
    },
    commit(uploadId, digest) {
      observed.get(uploadId)?.commit(digest);
      observed.delete(uploadId);
    },
    abandon,
  };
}

/** One upload on its way to the observer: at most one chunk waits to be read. */
class ObservedUpload {
  /** How many bytes have been given on. */
  bytes = 0;
  readonly #pause: (signal: AbortSignal) => Promise<unknown>;
  readonly #observation: LayerObservation | undefined;
  #waiting: Uint8Array | undefined;
  #ended: "no" | "whole" | "cut" = "no";
  #isRead = true;
  #wakeReader = Promise.withResolvers<void>();
  #wakeWriter = Promise.withResolvers<void>();

  constructor(observer: LayerObserver, pause: (signal: AbortSignal) => Promise<unknown>) {
    this.#pause = pause;
    try {
      this.#observation = observer.observe(this.#read());
    } catch {
      this.#isRead = false;
    }
  }

  /** Resolves when there is room for the next chunk, or nobody to read it. */
  async push(chunk: Uint8Array): Promise<void> {
    this.bytes += chunk.length;
    if (this.#waiting !== undefined && this.#isRead) await this.#haveRoom();
    if (!this.#isRead || chunk.length === 0) return;
    this.#waiting = new Uint8Array(chunk); // the chunk itself goes to the store, which may free it
    this.#wakeReader.resolve();
  }

  commit(digest: string): void {
    const isFollowed = this.#isRead;
    this.#end("whole");
    if (isFollowed) this.#tell((observation) => observation.commit(digest));
  }

  abandon(): void {
    this.#end("cut");
    this.#tell((observation) => observation.abandon());
  }

  async #haveRoom(): Promise<void> {
    const done = new AbortController();
    const stalled = this.#pause(done.signal).then(
      () => true,
      () => false,
    );
    const isStalled = await Promise.race([this.#wakeWriter.promise.then(() => false), stalled]);
    done.abort();
    if (isStalled) this.abandon();
  }

  async *#read(): AsyncIterable<Uint8Array> {
    try {
      for (;;) {
        while (this.#waiting === undefined && this.#ended === "no") await this.#woken();
        if (this.#ended === "cut") throw new Error("the upload has not become a blob");
        if (this.#waiting === undefined) return;
        const chunk = this.#waiting;
        this.#waiting = undefined;
        this.#letWrite();
        yield chunk;
      }
    } finally {
      this.#isRead = false;
      this.#letWrite();
    }
  }

  async #woken(): Promise<void> {
    await this.#wakeReader.promise;
    this.#wakeReader = Promise.withResolvers<void>();
  }

  #letWrite(): void {
    this.#wakeWriter.resolve();
    this.#wakeWriter = Promise.withResolvers<void>();
  }

  #end(how: "whole" | "cut"): void {
    if (this.#ended === "no") this.#ended = how;
    this.#wakeReader.resolve();
  }

  #tell(what: (observation: LayerObservation) => void): void {
    try {
      if (this.#observation !== undefined) what(this.#observation);
    } catch {
      // the push does not depend on its observer
    }
  }
}
