import type { Digest } from "@plimsoll/core";
import { singleFlight } from "@plimsoll/store";
import type { ImageRepository } from "../access/queries/image-repositories.ts";
import { findLinkedBlob } from "../content/queries/blobs.ts";
import { copyBlob } from "../intake/copy-blob.ts";
import { findUsageLimits } from "../quotas/usage-limits.ts";
import type { AskedUpstreams } from "./ask-upstream.ts";
import type { ProxyContext } from "./proxy-context.ts";
import { findHolder } from "./queries/arriving.ts";
import type { ProxyCacheRow } from "./queries/proxy-caches.ts";
import { StreamedBlob } from "./streamed-blob.ts";

/** A blob that a repository of a cache is to have. */
export interface WantedBlob {
  readonly cache: ProxyCacheRow;
  readonly repository: ImageRepository;
  readonly digest: Digest;
  readonly sizeBytes: number;
}

/**
 * The blobs that this process brings in: each is fetched once, whoever asks for it, on whichever node. An arrival goes on when the client
 * that began it has gone: the image is wanted as a whole.
 */
export class BlobArrivals {
  readonly #context: ProxyContext;
  readonly #upstreams: AskedUpstreams;
  readonly #running = new Map<string, StreamedBlob>();
  readonly #closed = new AbortController();

  constructor(context: ProxyContext, upstreams: AskedUpstreams) {
    this.#context = context;
    this.#upstreams = upstreams;
  }

  /** A blob on its way. */
  arrive(wanted: WantedBlob): StreamedBlob {
    const { repository, digest, sizeBytes } = wanted;
    const name = `${repository.id} ${digest}`;
    const running = this.#running.get(name);
    if (running !== undefined) return running;
    const blob = new StreamedBlob(this.#context.blobs, { digest, sizeBytes });
    this.#running.set(name, blob);
    blob.follow(this.#bring(wanted, (chunk) => blob.pass(chunk)).finally(() => this.#running.delete(name)));
    return blob;
  }

  /** Ends what is under way. */
  close(): void {
    this.#closed.abort(new Error("the registry is stopping"));
  }

  async #bring(wanted: WantedBlob, onChunk: (chunk: Uint8Array) => void): Promise<void> {
    const { store, blobs, settings, clock } = this.#context;
    const { cache, repository, digest, sizeBytes } = wanted;
    const { id, namespace_id: namespaceId } = repository;
    const find = async () => (await findLinkedBlob(store.db, id, digest)) && true;
    if (await find()) return;
    await singleFlight<true>(this.#context, {
      name: `registry.proxied-blob:${namespaceId}:${digest}`,
      signal: this.#closed.signal,
      find,
      work: async (signal) => {
        const holder = await findHolder(store.db, { namespaceId, digest });
        const blobsFrom = holder === undefined ? [] : [holder];
        const limits = await findUsageLimits(store.db, settings, namespaceId);
        await this.#upstreams.ask({ cache, repository }, { isWaitedFor: false, signal }, (upstream) =>
          copyBlob(
            { store, blobs, settings, ports: { clock } },
            { repository, upstream, blobsFrom, signal },
            { digest, sizeBytes, limits, onChunk },
          ),
        );
        return true;
      },
    });
  }
}
