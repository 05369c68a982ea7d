import { ScanError } from "@plimsoll/core";
import { type Digest, parseDigest } from "@plimsoll/core/digest";
import { enqueueJob, singleFlight } from "@plimsoll/store";
import type { ImageRepository } from "../../access/queries.ts";
import { findStoredManifest, findTaggedManifest } from "../../content/queries/manifest-content.ts";
import type { UpstreamReferrer } from "../../ports/upstreams.ts";
import { partsOf, readFetched } from "../../push/copied-manifest.ts";
import type {
  ArrivingBlob,
  NewCachedRepository,
  PulledFrom,
  PullThrough,
  ServedManifest,
} from "../../push/pull-through.ts";
import type { Reference } from "../../push/reference.ts";
import { BlobArrivals } from "./blob-arrivals.ts";
import { type CacheDeps, storeImage } from "./cache-image.ts";
import { cachedReferrers, createCachedRepository } from "./cached-lists.ts";
import { notePull } from "./held-images.ts";
import { cacheImageJob } from "./jobs.ts";
import { makeRoom } from "./make-room.ts";
import type { ProxyDeps } from "./proxy-deps.ts";
import { findArriving, findArrivingSize, findDamagedSize, findPull, insertArriving } from "./queries/arriving.ts";
import { findCacheOf, type ProxyCacheRow } from "./queries/proxy-caches.ts";
import { type CachedRepository, UpstreamBreaker, type UpstreamCall, upstreamFailure } from "./upstream-breaker.ts";

/** A repository and its cache. */
interface Cached {
  readonly cache: ProxyCacheRow;
  readonly repository: ImageRepository;
}

/** Serves the pulls through caches in one process. */
export class CachePulls implements PullThrough {
  /** The context of the job that fetches images. */
  readonly jobContext: CacheDeps;
  readonly #arrivals: BlobArrivals;
  readonly #context: ProxyDeps;
  readonly #upstreams: UpstreamBreaker;
  readonly #resolutions = new Coalesced<Digest | undefined>();
  readonly #fetches = new Coalesced<ServedManifest>();
  readonly #closed = new AbortController();

  constructor(deps: ProxyDeps) {
    this.#context = deps;
    this.#upstreams = new UpstreamBreaker(deps);
    this.#arrivals = new BlobArrivals(deps, this.#upstreams);
    this.jobContext = { ...deps, arrivals: this.#arrivals };
  }

  async findManifest(pulled: PulledFrom): Promise<ServedManifest | undefined> {
    const { repository, reference, now } = pulled;
    const { db } = this.#context.store;
    const cache = await findCacheOf(db, repository.namespace_id);
    if (cache === undefined) return undefined;
    const digest = await this.#resolve({ cache, ...pulled });
    if (digest === undefined) return undefined;
    const manifest = await this.#getManifest({ cache, repository }, digest);
    await notePull(this.#context, { cache, repository, reference, digest, now });
    return manifest;
  }

  async findBlob(repository: ImageRepository, digest: Digest): Promise<ArrivingBlob | undefined> {
    const { db } = this.#context.store;
    const cache = await findCacheOf(db, repository.namespace_id);
    if (cache === undefined) return undefined;
    const at = { repositoryId: repository.id, digest };
    const knownBytes = (await findArrivingSize(db, at)) ?? (await findDamagedSize(db, at));
    const sizeBytes = knownBytes ?? (await this.#findBlobSize({ cache, repository }, digest));
    if (sizeBytes === undefined) return undefined;
    const wanted = { cache, repository, digest, sizeBytes, by: "client", needsRoom: knownBytes === undefined } as const;
    return {
      ...{ digest, sizeBytes },
      read: () => withClientErrors(this.#arrivals.arrive(wanted).read()),
      arrive: () => this.#arrivals.arrive(wanted).arrive().catch(failBlobPull),
    };
  }

  async findReferrers(repository: ImageRepository, digest: Digest): Promise<readonly UpstreamReferrer[] | undefined> {
    const cache = await findCacheOf(this.#context.store.db, repository.namespace_id);
    if (cache === undefined) return undefined;
    const ask = () =>
      this.#upstreams.run({ cache, repository }, asked(`referrers of ${digest}`), (upstream) =>
        upstream.findReferrers(digest),
      );
    return cachedReferrers(this.#context, { repository, digest }, ask).catch(failPull);
  }

  async createRepository(wanted: NewCachedRepository): Promise<ImageRepository | undefined> {
    const cache = await findCacheOf(this.#context.store.db, wanted.namespace.id);
    if (cache === undefined) return undefined;
    const { object, name } = wanted;
    const cached = { cache, repository: { name } };
    const found =
      object.kind === "blob"
        ? await this.#findBlobSize(cached, object.digest)
        : await this.#findDigest(cached, object.reference).catch(failPull);
    return found === undefined ? undefined : createCachedRepository(this.#context, wanted);
  }

  /** Aborts all fetches. */
  close(): void {
    this.#closed.abort(new Error("the registry is stopping"));
    this.#arrivals.close();
  }

  /** The digest of a reference at the other registry. @throws ScanError */
  #findDigest(cached: CachedRepository, reference: Reference): Promise<Digest | undefined> {
    const name = reference.kind === "tag" ? reference.name : reference.digest;
    return this.#upstreams.run(cached, asked(name), (upstream) => upstream.findDigest(name));
  }

  /** The size of a blob at the other registry: of an image that was not pulled here. @throws ContentError */
  #findBlobSize(cached: CachedRepository, digest: Digest): Promise<number | undefined> {
    return this.#upstreams.run(cached, asked(digest), (upstream) => upstream.findBlobSize(digest)).catch(failBlobPull);
  }

  /** The digest of a reference at the other registry, or in the cache while the other registry fails. */
  async #resolve({ cache, repository, reference, now }: Cached & PulledFrom): Promise<Digest | undefined> {
    if (reference.kind === "digest") return reference.digest;
    const { name } = reference;
    const findUpstream = () => this.#findDigest({ cache, repository }, reference);
    try {
      return await this.#resolutions.run(`${repository.id} ${name}`, findUpstream);
    } catch (error) {
      if (error instanceof ScanError && error.code === "unauthorized") throw upstreamFailure(error);
      const held = error instanceof ScanError ? await this.#resolveLocally(repository, name, now) : undefined;
      if (held === undefined) return failPull(error);
      return held;
    }
  }

  async #resolveLocally({ id: repositoryId }: ImageRepository, name: string, now: number): Promise<Digest | undefined> {
    const { db } = this.#context.store;
    const held = await findTaggedManifest(db, { repositoryId, name, now });
    if (held !== undefined) return parseDigest(held.digest);
    const pull = await findPull(db, { repositoryId, reference: name });
    const arriving = pull && (await findArriving(db, { repositoryId, digest: pull.digest }));
    return arriving && parseDigest(arriving.digest);
  }

  /** The manifest of a digest: one that is stored or arriving, or else it is fetched now. */
  async #getManifest(cached: Cached, digest: Digest): Promise<ServedManifest> {
    const find = () => this.#findHeld(cached, digest);
    const { id } = cached.repository;
    const flight = {
      name: `registry.proxied-manifest:${id}:${digest}`,
      signal: this.#closed.signal,
      find,
      work: () => this.#fetchManifest(cached, digest).catch(failPull),
    };
    return this.#fetches.run(`${id} ${digest}`, async () => (await find()) ?? singleFlight(this.#context, flight));
  }

  async #findHeld({ repository }: Cached, digest: Digest): Promise<ServedManifest | undefined> {
    const { db } = this.#context.store;
    const at = { repositoryId: repository.id, digest };
    const held = await findStoredManifest(db, at);
    if (held !== undefined) return held;
    const arriving = await findArriving(db, at);
    if (arriving === undefined) return undefined;
    await enqueueJob(db, cacheImageJob.of({ ...at, namespaceId: repository.namespace_id }), this.#context.clock);
    return { ...arriving, size_bytes: Buffer.byteLength(arriving.content) };
  }

  async #fetchManifest(cached: Cached, digest: Digest): Promise<ServedManifest> {
    const { store, settings, clock } = this.#context;
    const { cache, repository } = cached;
    const fetched = await this.#upstreams.run(cached, asked(digest), (upstream) => upstream.fetchManifest(digest));
    const { content, manifest } = readFetched(fetched, settings);
    const { mediaType: media_type } = manifest;
    const served = { digest, media_type, content, size_bytes: fetched.bytes.length };
    if (manifest.isIndex) {
      await storeImage(this.#context, { cache, repository, digest, content, manifest, limits: [] });
      return served;
    }
    const parts = partsOf(manifest);
    await makeRoom(this.#context, { repository, digest, parts });
    await store.transaction(async (db) => {
      const row = { repository_id: repository.id, digest, media_type, content, created_at: clock.now() };
      await insertArriving(db, row, parts);
      const payload = { repositoryId: repository.id, digest, namespaceId: repository.namespace_id };
      await enqueueJob(db, cacheImageJob.of(payload), clock);
    });
    return served;
  }
}

/** A call for which a client waits. */
function asked(object: string): UpstreamCall {
  return { object, isWaitedFor: true, by: "client" };
}

/** Throws the error that clients get for a failure of the other registry. */
function failPull(error: unknown): never {
  throw error instanceof ScanError ? upstreamFailure(error) : error;
}

/** As {@link failPull}, for blobs. */
function failBlobPull(error: unknown): never {
  throw error instanceof ScanError ? upstreamFailure(error, "blob_unknown") : error;
}

async function* withClientErrors(source: AsyncIterable<Uint8Array>): AsyncIterable<Uint8Array> {
  try {
    yield* source;
  } catch (error) {
    failBlobPull(error);
  }
}

/** Runs work with the same name once at a time in this process. Callers in the meantime get the same result. */
class Coalesced<Result> {
  readonly #running = new Map<string, Promise<Result>>();

  run(name: string, work: () => Promise<Result>): Promise<Result> {
    const running = this.#running.get(name);
    if (running !== undefined) return running;
    const started = work().finally(() => this.#running.delete(name));
    this.#running.set(name, started);
    return started;
  }
}
