import type { Digest } from "@plimsoll/core/digest";
import { singleFlight } from "@plimsoll/store";
import type { ImageRepository } from "../../access/queries.ts";
import { findLinkedBlob } from "../../content/queries/blobs.ts";
import { findUsageLimits } from "../../organizations/quotas/usage-limits.ts";
import { copyBlob } from "../../push/copy-blob.ts";
import { makeRoom } from "./make-room.ts";
import type { ProxyContext } from "./proxy-context.ts";
import { findHolder } from "./queries/arriving.ts";
import type { ProxyCacheRow } from "./queries/proxy-caches.ts";
import { StreamedBlob } from "./streamed-blob.ts";
import type { UpstreamBreaker, UpstreamCall } from "./upstream-breaker.ts";

/** A blob to fetch into a repository of a cache. */
export interface WantedBlob {
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
  readonly #context: ProxyContext;
  readonly #upstreams: UpstreamBreaker;
  readonly #running = new Map<string, StreamedBlob>();
  readonly #closed = new AbortController();

  constructor(context: ProxyContext, upstreams: UpstreamBreaker) {
    this.#context = context;
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
    const { store, blobs, settings, clock } = this.#context;
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
              { store, blobs, settings, clock },
              { repository, upstream, blobsFrom, signal },
              { digest, sizeBytes, limits, onChunk },
            ),
        );
        return true;
      },
    });
  }
}
