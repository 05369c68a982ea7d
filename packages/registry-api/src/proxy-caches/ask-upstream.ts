import { ScanError } from "@plimsoll/core";
import type { ImageRepository } from "../access/queries/image-repositories.ts";
import { RegistryError } from "../errors.ts";
import { parseExternalReference } from "../mirrors/external-reference.ts";
import { UpstreamLimited, type UpstreamRepository } from "../ports/upstreams.ts";
import type { ProxyContext } from "./proxy-context.ts";
import type { ProxyCacheRow } from "./queries/proxy-caches.ts";

/** The repository that is asked about, and the cache that it is in. */
export interface CachedRepository {
  readonly cache: ProxyCacheRow;
  readonly repository: Pick<ImageRepository, "name">;
}

/** How a registry is asked. */
export interface Asking {
  readonly isWaitedFor: boolean;
  readonly signal?: AbortSignal;
}

/** For how long a registry that failed is left alone. One that limits us says so itself, up to an hour. */
const pauseMs = { failed: 5000, limited: 60_000, longest: 3_600_000 } as const;

/** Asks the registries behind caches. One that has just failed, or wants to be left alone, is not asked: its failure is told again. */
export class AskedUpstreams {
  readonly #context: ProxyContext;
  /** By organization. */
  readonly #pauses = new Map<string, { readonly until: number; readonly error: ScanError }>();

  constructor(context: ProxyContext) {
    this.#context = context;
  }

  /**
   * Runs work on the repository of the other registry.
   * @throws ScanError: UpstreamLimited while the registry limits us; `not_permitted` for one that may not be asked
   */
  async ask<Result>(
    { cache, repository }: CachedRepository,
    { isWaitedFor, signal }: Asking,
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
      const told =
        error instanceof RegistryError ? new ScanError("not_permitted", error.message, { cause: error }) : error;
      signal?.throwIfAborted();
      if (told instanceof ScanError && isOutage(told)) {
        this.#pauses.set(cache.organization_id, { until: now + pauseOf(told), error: told });
      }
      throw told;
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

/** What is told of a registry that is left alone: not what another caller had asked it for. */
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

/** Whether it is the registry that cannot be used at the moment, whatever it is asked. */
export function isOutage({ code }: ScanError): boolean {
  return code === "source_unreachable" || code === "timed_out";
}

function pauseOf(error: ScanError): number {
  if (!(error instanceof UpstreamLimited)) return pauseMs.failed;
  const { retryAfterSeconds } = error;
  return Math.min(pauseMs.longest, retryAfterSeconds === undefined ? pauseMs.limited : 1000 * retryAfterSeconds);
}
