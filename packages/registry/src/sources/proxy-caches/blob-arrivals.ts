import type { Digest } from "@plimsoll/core/digest";
import { singleFlight } from "@plimsoll/store";
import type { ImageRepository } from "../../access/queries.ts";
import { findLinkedBlob } from "../../content/queries/blobs.ts";
import { findUsageLimits } from "../../organizations/quotas/usage-limits.ts";
import type { BlobStore } from "../../ports/blob-store.ts";
import { copyBlob } from "../../push/copy-blob.ts";
import type { ArrivingBlob } from "../../push/pull-through.ts";
import { makeRoom } from "./make-room.ts";
import type { ProxyDeps } from "./proxy-deps.ts";
import { findHolder } from "./queries/arriving.ts";
import type { ProxyCacheRow } from "./queries/proxy-caches.ts";
import type { UpstreamBreaker, UpstreamCall } from "./upstream-breaker.ts";

/** A blob to fetch into a repository of a cache. */
interface WantedBlob {
  readonly cache: ProxyCacheRow;
  readonly repository: ImageRepository;
  readonly digest: Digest;
  readonly sizeBytes: number;
  /** Whether the quota must have room for it. For the blobs of an image, room is made for the whole image before. */
  readonly needsRoom: boolean;
  /** Who begins the arrival. */
  readonly by: UpstreamCall["by"];
}

/**
 * The blobs that this process fetches. Each is fetched once for all clients of all nodes. If the client that began an arrival disconnects,
 * the arrival continues, since the whole image is needed.
 */
export class BlobArrivals {
  readonly #context: ProxyDeps;
  readonly #upstreams: UpstreamBreaker;
  readonly #running = new Map<string, StreamedBlob>();
  readonly #closed = new AbortController();

  constructor(deps: ProxyDeps, upstreams: UpstreamBreaker) {
    this.#context = deps;
    this.#upstreams = upstreams;
  }

  /** Starts to fetch a blob, or returns it if that has started already. */
  arrive(wanted: WantedBlob): StreamedBlob {
    const { repository, digest, sizeBytes } = wanted;
    const name = `${repository.id} ${digest}`;
    const running = this.#running.get(name);
    if (running !== undefined) return running;
    const blob = new StreamedBlob(this.#context.blobs, { digest, sizeBytes });
    this.#running.set(name, blob);
    blob.follow(this.#fetch(wanted, (chunk) => blob.pass(chunk)).finally(() => this.#running.delete(name)));
    return blob;
  }

  /** Aborts all arrivals. */
  close(): void {
    this.#closed.abort(new Error("the registry is stopping"));
  }

  async #fetch(wanted: WantedBlob, onChunk: (chunk: Uint8Array) => void): Promise<void> {
    const { store, settings } = this.#context;
    const { cache, repository, digest, sizeBytes, by } = wanted;
    const { id, namespace_id: namespaceId } = repository;
    const find = async () => (await findLinkedBlob(store.db, id, digest)) && true;
    if (await find()) return;
    await singleFlight<true>(this.#context, {
      name: `registry.proxied-blob:${namespaceId}:${digest}`,
      signal: this.#closed.signal,
      find,
      work: async (signal) => {
        if (wanted.needsRoom) await makeRoom(this.#context, { repository, digest, parts: [{ digest, sizeBytes }] });
        const holder = await findHolder(store.db, { namespaceId, digest });
        const blobsFrom = holder === undefined ? [] : [holder];
        const limits = await findUsageLimits(store.db, settings, namespaceId);
        await this.#upstreams.run(
          { cache, repository },
          { object: digest, isWaitedFor: false, by, signal },
          (upstream) =>
            copyBlob(
              this.#context,
              { repository, upstream, blobsFrom, signal },
              { digest, sizeBytes, limits, onChunk },
            ),
        );
        return true;
      },
    });
  }
}

/** How many bytes a client may be behind. A slower client waits until the blob has arrived, and reads the rest from the store. */
const mostBehindBytes = 4 * 1024 * 1024;

/** A blob that clients can read while it is fetched. */
class StreamedBlob implements ArrivingBlob {
  readonly digest: Digest;
  readonly sizeBytes: number;
  readonly #blobs: Pick<BlobStore, "read">;
  readonly #readers = new Set<Reader>();
  #passedBytes = 0;
  #arrival: Promise<void> = Promise.resolve();

  constructor(blobs: Pick<BlobStore, "read">, { digest, sizeBytes }: Pick<ArrivingBlob, "digest" | "sizeBytes">) {
    this.#blobs = blobs;
    this.digest = digest;
    this.sizeBytes = sizeBytes;
  }

  /** Sets the promise of the arrival, which checks the digest and ends the stream. */
  follow(arrival: Promise<void>): void {
    this.#arrival = arrival;
    const end = () => {
      for (const reader of this.#readers) reader.leave();
    };
    arrival.then(end, end);
  }

  /** Passes bytes to the readers that have read from the beginning. */
  pass(chunk: Uint8Array): void {
    this.#passedBytes += chunk.length;
    for (const reader of this.#readers) reader.push(chunk);
  }

  arrive(): Promise<void> {
    return this.#arrival;
  }

  /** The last chunk is held back until the digest is checked, so that a client never receives a whole blob with a wrong digest. */
  read(): AsyncIterable<Uint8Array> {
    return { [Symbol.asyncIterator]: () => this.#open() };
  }

  /** An iterator that can be returned while it waits for the upstream registry. */
  #open(): AsyncIterator<Uint8Array> {
    const closed = Promise.withResolvers<"closed">();
    const reader = new Reader({ fromBeginning: this.#passedBytes === 0 });
    const chunks = this.#read(reader, closed.promise);
    return {
      next: () => chunks.next(),
      return: () => {
        closed.resolve("closed");
        reader.leave();
        return chunks.return(undefined);
      },
    };
  }

  async *#read(reader: Reader, closed: Promise<"closed">): AsyncGenerator<Uint8Array, undefined> {
    this.#readers.add(reader);
    let sentBytes = 0;
    try {
      for (let chunk = await reader.next(); chunk !== undefined; chunk = await reader.next()) {
        if (sentBytes + chunk.length >= this.sizeBytes) break;
        sentBytes += chunk.length;
        yield chunk;
      }
    } finally {
      reader.leave();
      this.#readers.delete(reader);
    }
    const end = await Promise.race([this.#arrival, closed]);
    if (end === "closed" || sentBytes === this.sizeBytes) return undefined;
    yield* this.#blobs.read(this.digest, { first: sentBytes, last: this.sizeBytes - 1 }, { use: "once" });
    return undefined;
  }
}

/** A queue of the bytes that one client has not read yet. */
class Reader {
  readonly #chunks: Uint8Array[] = [];
  #bytes = 0;
  #isOver: boolean;
  #wake: () => void = () => {};

  /** @param fromBeginning whether the reader was added before the first byte */
  constructor({ fromBeginning }: { readonly fromBeginning: boolean }) {
    this.#isOver = !fromBeginning;
  }

  push(chunk: Uint8Array): void {
    if (this.#isOver) return;
    this.#chunks.push(chunk);
    this.#bytes += chunk.length;
    if (this.#bytes > mostBehindBytes) this.leave();
    this.#wake();
  }

  /** Accepts no more bytes; those in the queue can still be read. */
  leave(): void {
    this.#isOver = true;
    this.#wake();
  }

  /** The next bytes; undefined at the end. */
  async next(): Promise<Uint8Array | undefined> {
    while (this.#chunks.length === 0 && !this.#isOver) {
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
    }
    const chunk = this.#chunks.shift();
    this.#bytes -= chunk?.length ?? 0;
    return chunk;
  }
}
