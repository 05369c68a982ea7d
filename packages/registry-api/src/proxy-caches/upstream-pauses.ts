import type { ScanError } from "@plimsoll/core";
import { LRUCache } from "lru-cache";
import { UpstreamLimited, UpstreamObjectFailed } from "../ports/upstreams.ts";

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
 * How long a registry, or one object of it, is not requested after a failure, in milliseconds. The pause of an object doubles with each of its
 * failures. If the registry limits the rate of requests, it names the time itself, up to an hour.
 */
export const pauseMs = { failed: 5000, object: 60_000, limited: 60_000, longest: 3_600_000 } as const;

/** So many objects fail, one after another and none succeeds, until the registry counts as failed. */
const objectsOfOutage = 3;

/** Failures of objects count together within this time. */
const togetherMs = 60_000;

/** The most objects whose failures are kept. The one that failed the longest time ago is dropped. */
const mostObjects = 10_000;

interface RegistryState {
  pause?: Pause;
  /** When objects failed, since the last success. */
  readonly failing: Map<string, number>;
}

/** The pauses of the registries behind caches, and of their objects, in this process. */
export class UpstreamPauses {
  readonly #registries = new Map<string, RegistryState>();
  readonly #objects = new LRUCache<string, Pause & { readonly failures: number }>({ max: mostObjects });

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
    if (state?.pause !== undefined && state.pause.until > now) state.failing.clear();
    else this.#registries.delete(cacheId);
  }

  /** Begins a pause after a failure, if it is one of the object or of the registry. */
  failed({ cacheId, object }: PausedObject, error: ScanError, now: number): void {
    const scope = scopeOf(error);
    if (scope === "request") return;
    if (scope === "registry") return void this.#close(cacheId, { until: now + closedMs(error), error });
    const name = `${cacheId} ${object}`;
    const failures = (this.#objects.get(name)?.failures ?? 0) + 1;
    const objectMs = Math.min(pauseMs.object, pauseMs.failed * 2 ** (failures - 1));
    this.#objects.set(name, { until: now + objectMs, error, failures });
    const { failing } = this.#stateOf(cacheId);
    for (const [each, at] of failing) if (now - at > togetherMs) failing.delete(each);
    failing.set(object, now);
    if (failing.size >= objectsOfOutage) this.#close(cacheId, { until: now + pauseMs.failed, error });
  }

  #close(cacheId: string, pause: Pause): void {
    const state = this.#stateOf(cacheId);
    state.pause = pause;
    state.failing.clear();
  }

  #stateOf(cacheId: string): RegistryState {
    const state = this.#registries.get(cacheId) ?? { failing: new Map() };
    this.#registries.set(cacheId, state);
    return state;
  }
}

function closedMs(error: ScanError): number {
  if (!(error instanceof UpstreamLimited)) return pauseMs.failed;
  const { retryAfterSeconds } = error;
  return Math.min(pauseMs.longest, retryAfterSeconds === undefined ? pauseMs.limited : 1000 * retryAfterSeconds);
}
