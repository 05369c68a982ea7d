import type { RegistryStore } from "@plimsoll/registry";
import { holdBlobs } from "@plimsoll/registry-api";
import { repeat } from "../../serve/repeat.ts";

/** How long one hold lasts without a renewal: blobs are collected again this long after a killed copy. */
const holdMs = 10 * 60_000;
const renewMs = 60_000;

/** The registry whose blobs are held, and the clock. */
export interface HoldOptions {
  readonly store: RegistryStore;
  /** Epoch milliseconds. */
  now(): number;
  /** How often the hold is renewed; every minute by default. */
  readonly everyMs?: number;
}

/**
 * Pauses garbage collection of blobs while `work` copies them. A failed renewal is tried again at the next interval.
 * @throws Error if the hold lapsed before the work ended: blobs may be missing from the copy
 */
export async function holdWhile<T>({ store, now, everyMs = renewMs }: HoldOptions, work: () => Promise<T>): Promise<T> {
  let [heldUntil, hasLapsed, failure] = [Number.POSITIVE_INFINITY, false, undefined as unknown];
  const hold = async () => {
    const until = now() + holdMs;
    await holdBlobs(store.db, until);
    hasLapsed ||= now() > heldUntil;
    heldUntil = until;
  };
  await hold();
  const onError = (error: unknown) => {
    failure = error;
  };
  const renewing = repeat({ everyMs, act: hold, onError });
  const result = await work().finally(() => renewing[Symbol.asyncDispose]());
  if (!hasLapsed && now() <= heldUntil) return result;
  throw new Error("blobs may have been deleted while they were copied: make the copy again", {
    cause: failure,
  });
}
