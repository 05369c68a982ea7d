import { ScanError } from "@plimsoll/core";
import type { ImageRepository } from "../access/queries/image-repositories.ts";
import { RegistryError } from "../errors.ts";
import { parseExternalReference } from "../mirrors/external-reference.ts";
import { UpstreamLimited, type UpstreamRepository } from "../ports/upstreams.ts";
import type { ProxyContext } from "./proxy-context.ts";
import type { ProxyCacheRow } from "./queries/proxy-caches.ts";

/** A repository of a cache. */
export interface CachedRepository {
  readonly cache: ProxyCacheRow;
  readonly repository: Pick<ImageRepository, "name">;
}

/** Options of {@link UpstreamBreaker.run}. */
export interface UpstreamCall {
  readonly isWaitedFor: boolean;
  readonly signal?: AbortSignal;
}

/** How long a registry is not used after a failure. If it limits the rate of requests, it names the time itself, up to an hour. */
const pauseMs = { failed: 5000, limited: 60_000, longest: 3_600_000 } as const;

/** A circuit breaker for the registries behind caches. During the pause after a failure, calls fail at once with that failure. */
export class UpstreamBreaker {
  readonly #context: ProxyContext;
  /** By organization. */
  readonly #pauses = new Map<string, { readonly until: number; readonly error: ScanError }>();

  constructor(context: ProxyContext) {
    this.#context = context;
  }

  /**
   * Runs work on the repository of the other registry.
   * @throws ScanError: UpstreamLimited while the registry limits the rate of requests; `not_permitted` for an address that is not allowed
   */
  async run<Result>(
    { cache, repository }: CachedRepository,
    { isWaitedFor, signal }: UpstreamCall,
    work: (upstream: UpstreamRepository) => Promise<Result>,
  ): Promise<Result> {
    const now = this.#context.clock.now();
    const pause = this.#pauses.get(cache.organization_id);
    if (pause !== undefined && pause.until > now) throw failedBefore(cache, pause.error);
    this.#pauses.delete(cache.organization_id);
    try {
      await using upstream = await this.#open({ cache, repository }, { isWaitedFor });
      return await work(upstream);
    } catch (error) {
      const failure =
        error instanceof RegistryError ? new ScanError("not_permitted", error.message, { cause: error }) : error;
      signal?.throwIfAborted();
      if (failure instanceof ScanError && isOutage(failure)) {
        this.#pauses.set(cache.organization_id, { until: now + pauseOf(failure), error: failure });
      }
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
      ...(username !== null && { login: { username, password: sealed === null ? "" : (secrets.open(sealed) ?? "") } }),
    });
  }
}

/** The error during a pause. It does not repeat the message of the failure, which may name another caller's image. */
function failedBefore({ upstream_registry: name }: ProxyCacheRow, cause: ScanError): ScanError {
  if (cause instanceof UpstreamLimited) {
    const { retryAfterSeconds } = cause;
    return new UpstreamLimited(`${name} limits the rate of requests`, { retryAfterSeconds, cause });
  }
  const seconds = pauseMs.failed / 1000;
  return new ScanError(cause.code, `${name} failed a moment ago: it is asked again after ${seconds} seconds`, {
    cause,
  });
}

/** Whether an error is about the whole registry, and not about one request. */
export function isOutage({ code }: ScanError): boolean {
  return code === "source_unreachable" || code === "timed_out";
}

function pauseOf(error: ScanError): number {
  if (!(error instanceof UpstreamLimited)) return pauseMs.failed;
  const { retryAfterSeconds } = error;
  return Math.min(pauseMs.longest, retryAfterSeconds === undefined ? pauseMs.limited : 1000 * retryAfterSeconds);
}
