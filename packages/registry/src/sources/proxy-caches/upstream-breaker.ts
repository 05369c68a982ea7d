import { ScanError } from "@plimsoll/core";
import type { ImageRepository } from "../../access/queries.ts";
import { ContentError } from "../../content-error.ts";
import { RegistryError } from "../../errors.ts";
import { UpstreamLimited, UpstreamObjectFailed, type UpstreamRepository } from "../../ports/upstreams.ts";
import { parseExternalReference } from "../mirrors/external-reference.ts";
import type { ProxyDeps } from "./proxy-deps.ts";
import type { ProxyCacheRow } from "./queries/proxy-caches.ts";
import { pauseMs, scopeOf, UpstreamPauses } from "./upstream-pauses.ts";

/** A repository of a cache. */
export interface CachedRepository {
  readonly cache: ProxyCacheRow;
  readonly repository: Pick<ImageRepository, "name">;
}

/** A call of the registry behind a cache. */
export interface UpstreamCall {
  /** The tag or the digest that is requested. */
  readonly object: string;
  /** Whether a client waits for the response: requests then fail within seconds instead of being retried for minutes. */
  readonly isWaitedFor: boolean;
  /**
   * Failures of jobs, which repeat what has failed, begin no pause, whatever they are: otherwise one broken object could pause its registry
   * for all clients. A job waits by itself.
   */
  readonly by: "client" | "job";
  readonly signal?: AbortSignal;
}

/**
 * A circuit breaker for the registries behind caches. After an error status of one object, requests for that object fail at once for a while.
 * After failed connections, or failures of several objects, all requests to the registry do.
 */
export class UpstreamBreaker {
  readonly #context: ProxyDeps;
  readonly #pauses = new UpstreamPauses();

  constructor(deps: ProxyDeps) {
    this.#context = deps;
  }

  /**
   * Runs work on the repository of the other registry.
   * @throws ScanError: UpstreamLimited while the registry limits the rate of requests; `not_permitted` for an address that is not allowed
   */
  async run<Result>(
    { cache, repository }: CachedRepository,
    call: UpstreamCall,
    work: (upstream: UpstreamRepository) => Promise<Result>,
  ): Promise<Result> {
    const { clock } = this.#context;
    const at = { cacheId: cache.organization_id, object: `${repository.name} ${call.object}` };
    const now = clock.now();
    const pause = this.#pauses.find(at, now);
    if (pause !== undefined) throw failedBefore(cache, { ...pause, leftMs: pause.until - now });
    try {
      await using upstream = await this.#open({ cache, repository }, call);
      const result = await work(upstream);
      this.#pauses.succeeded(at, clock.now());
      return result;
    } catch (error) {
      const failure =
        error instanceof RegistryError ? new ScanError("not_permitted", error.message, { cause: error }) : error;
      call.signal?.throwIfAborted();
      if (failure instanceof ScanError && call.by === "client") this.#pauses.failed(at, failure, clock.now());
      throw failure;
    }
  }

  async #open(
    { cache, repository }: CachedRepository,
    { isWaitedFor }: { readonly isWaitedFor: boolean },
  ): Promise<UpstreamRepository> {
    const { secrets, outgoing, upstreams } = this.#context;
    const { host, hostname, path } = parseExternalReference("upstream_registry", cache.upstream_registry);
    const { upstream_username: username, upstream_password_sealed: sealed } = cache;
    await outgoing.check(hostname);
    return upstreams.open({
      host,
      path: path === "" ? repository.name : `${path}/${repository.name}`,
      verifiesTls: cache.insecure === 0,
      isWaitedFor,
      login:
        username !== null ? { username, password: sealed === null ? "" : (secrets.open(sealed) ?? "") } : undefined,
    });
  }
}

interface Paused {
  readonly error: ScanError;
  readonly isOfObject: boolean;
  readonly leftMs: number;
}

/** The error during a pause. For a registry, it does not repeat the message of the failure, which may name another caller's image. */
function failedBefore(
  { upstream_registry: name }: ProxyCacheRow,
  { error: cause, isOfObject, leftMs }: Paused,
): ScanError {
  const retryAfterSeconds = Math.ceil(leftMs / 1000);
  if (cause instanceof UpstreamLimited) {
    return new UpstreamLimited(`${name} limits the rate of requests`, { retryAfterSeconds, cause });
  }
  if (isOfObject) {
    return new UpstreamObjectFailed(cause.code, cause.message, { isPassing: true, retryAfterSeconds, cause });
  }
  const seconds = pauseMs.failed / 1000;
  return new ScanError(
    "source_unreachable",
    `${name} failed a moment ago: it is asked again after ${seconds} seconds`,
    {
      cause,
    },
  );
}

/** The `Retry-After` for clients if the other registry does not name a time, and at most: after that, it is requested again. */
const retrySeconds = { usual: pauseMs.failed / 1000, longest: pauseMs.longest / 1000 } as const;

/**
 * The error for a failure of the other registry: it limits the rate of requests, another request may succeed later, it does not have the object or
 * refuses it (`unknown`), or it failed otherwise.
 */
export function upstreamFailure(
  error: ScanError,
  unknown: "manifest_unknown" | "blob_unknown" = "manifest_unknown",
): ContentError {
  const { message } = error;
  if (error instanceof UpstreamLimited)
    return new ContentError("upstream_limited", message, { retryAfterSeconds: retryAfter(error), cause: error });
  if (scopeOf(error) !== "request") {
    const retryAfterSeconds = retryAfter(error instanceof UpstreamObjectFailed ? error : {});
    return new ContentError("upstream_unavailable", message, { retryAfterSeconds, cause: error });
  }
  const isUnknown = error.code === "not_found" || error.code === "unauthorized" || error.code === "not_permitted";
  return new ContentError(isUnknown ? unknown : "upstream_failed", message, { cause: error });
}

function retryAfter({ retryAfterSeconds = retrySeconds.usual }: { readonly retryAfterSeconds?: number }): number {
  return Math.min(retrySeconds.longest, retryAfterSeconds);
}
