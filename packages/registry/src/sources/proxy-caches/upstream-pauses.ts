import type { ScanError } from "@plimsoll/core";
import { LRUCache } from "lru-cache";
import { entriesUpTo } from "../../limits/entries-up-to.ts";
import { UpstreamLimited, UpstreamObjectFailed } from "../../ports/upstreams.ts";

/** An object of the registry behind a cache. */
export interface PausedObject {
  /** The organization. */
  readonly cacheId: string;
  /** The repository with the tag or the digest. */
  readonly object: string;
}

/** A pause, and the failure that began it. */
export interface Pause {
  /** Epoch milliseconds. */
  readonly until: number;
  readonly error: ScanError;
}

/** What a failure is about: the whole registry, one object for a while, or one request, whose repetition gets the same answer. */
export type FailureScope = "registry" | "object" | "request";

/** What a failure is about. */
export function scopeOf(error: ScanError): FailureScope {
  if (error instanceof UpstreamObjectFailed) return error.isPassing ? "object" : "request";
  return error.code === "source_unreachable" || error.code === "timed_out" ? "registry" : "request";
}

/**
 * How long a registry, or one object of it, is not requested after a failure, in milliseconds: five seconds. The pause of an object doubles
 * with each of its failures. If the registry limits the rate of requests, it may name the time itself, up to an hour.
 */
export const pauseMs = { failed: 5000, object: 60_000, longest: 3_600_000 } as const;

/** So many objects fail, one after another and none succeeds, until the registry counts as failed. */
const objectsOfOutage = 3;

/** Failures of objects count together within this time. */
const togetherMs = 60_000;

/** The most objects whose failures are kept, and registries whose last answers are. The one that was noted the longest time ago is dropped. */
const mostNoted = 10_000;

/** The failures of an object since its last success. */
interface ObjectFailures extends Pause {
  readonly count: number;
  /** When a limit of the rate, in answer to a request for it, last began a pause of the registry. Epoch milliseconds. */
  readonly limitedAt?: number;
}

interface RegistryState {
  pause?: Pause;
  /** When objects failed, since the last success. */
  readonly failing: Map<string, number>;
}

/** The pauses of the registries behind caches, and of their objects, in this process. */
export class UpstreamPauses {
  readonly #registries = new Map<string, RegistryState>();
  readonly #objects = new LRUCache<string, ObjectFailures>(entriesUpTo(mostNoted));
  /** When a registry last sent an object, except during its pauses. */
  readonly #answeredAt = new LRUCache<string, number>(entriesUpTo(mostNoted));

  /** The pause in which an object must not be requested. @param now epoch milliseconds */
  find({ cacheId, object }: PausedObject, now: number): (Pause & { readonly isOfObject: boolean }) | undefined {
    const { pause } = this.#registries.get(cacheId) ?? {};
    if (pause !== undefined && pause.until > now) return { ...pause, isOfObject: false };
    const own = this.#objects.get(`${cacheId} ${object}`);
    return own !== undefined && own.until > now ? { ...own, isOfObject: true } : undefined;
  }

  /** Forgets the failures of an object and those that would count together. A pause of the registry goes on to its end. */
  succeeded({ cacheId, object }: PausedObject, now: number): void {
    this.#objects.delete(`${cacheId} ${object}`);
    const state = this.#registries.get(cacheId);
    if (state?.pause !== undefined && state.pause.until > now) return void state.failing.clear();
    this.#registries.delete(cacheId);
    this.#answeredAt.set(cacheId, now);
  }

  /**
   * Begins a pause after a failure, if it is one of the object or of the registry. If the registry limits requests for an object again,
   * although it has sent others since it did so first, only the object is paused.
   */
  failed({ cacheId, object }: PausedObject, error: ScanError, now: number): void {
    const scope = scopeOf(error);
    if (scope === "request") return;
    const name = `${cacheId} ${object}`;
    const known = this.#objects.get(name);
    if (scope === "object" || this.#isLimitedAlone(cacheId, { known, error })) {
      const count = (known?.count ?? 0) + 1;
      this.#objects.set(name, { ...known, until: now + objectMs(known, error), error, count });
      this.#countTogether({ cacheId, object }, error, now);
      return;
    }
    const limit = { until: now, error, count: known?.count ?? 0, limitedAt: now };
    if (error instanceof UpstreamLimited) this.#objects.set(name, limit);
    this.#close(cacheId, { until: now + requestedMs(error), error });
  }

  #isLimitedAlone(cacheId: string, { known, error }: { known: ObjectFailures | undefined; error: ScanError }): boolean {
    const limitedAt = error instanceof UpstreamLimited ? known?.limitedAt : undefined;
    return limitedAt !== undefined && (this.#answeredAt.get(cacheId) ?? 0) > limitedAt;
  }

  #countTogether({ cacheId, object }: PausedObject, error: ScanError, now: number): void {
    const { failing } = this.#stateOf(cacheId);
    for (const [each, at] of failing) if (now - at > togetherMs) failing.delete(each);
    failing.set(object, now);
    if (failing.size >= objectsOfOutage) this.#close(cacheId, { until: now + pauseMs.failed, error });
  }

  #close(cacheId: string, pause: Pause): void {
    const state = this.#stateOf(cacheId);
    if (pause.until > (state.pause?.until ?? 0)) state.pause = pause;
    state.failing.clear();
  }

  #stateOf(cacheId: string): RegistryState {
    const state = this.#registries.get(cacheId) ?? { failing: new Map() };
    this.#registries.set(cacheId, state);
    return state;
  }
}

/** The pause of an object after a failure, and those that are known. */
function objectMs(known: ObjectFailures | undefined, error: ScanError): number {
  return Math.max(requestedMs(error), Math.min(pauseMs.object, pauseMs.failed * 2 ** (known?.count ?? 0)));
}

/** The time that the registry names, up to an hour; five seconds if it names none. */
function requestedMs(error: ScanError): number {
  const seconds = error instanceof UpstreamLimited ? error.retryAfterSeconds : undefined;
  return seconds === undefined ? pauseMs.failed : Math.min(pauseMs.longest, 1000 * seconds);
}
