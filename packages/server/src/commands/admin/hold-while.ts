import { holdBlobs, type RegistryStore } from "@plimsoll/registry-api";
import { repeat } from "../../serve/repeat.ts";

/** How long blobs are held at a time: a copy that is killed keeps them no longer. */
const holdMs = 10 * 60_000;
const renewMs = 60_000;

/** What a copy holds, and the clock it goes by. */
export interface Holding {
  readonly store: RegistryStore;
  /** Epoch milliseconds. */
  now(): number;
  /** How often the hold is renewed; a minute where absent. */
  readonly everyMs?: number;
}

/**
 * Keeps the collection of garbage from removing blobs while `work` copies them. A renewal that fails is made again at the next turn.
 * @throws Error where the hold ended before the work did: blobs may be missing from the copy
 */
export async function holdWhile<T>({ store, now, everyMs = renewMs }: Holding, work: () => Promise<T>): Promise<T> {
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
