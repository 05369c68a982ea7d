import { setTimeout as delay } from "node:timers/promises";
import { holdBlobs, type RegistryStore } from "@plimsoll/registry-api";

/** How long blobs are held at a time: a copy that is killed keeps them no longer. */
const holdMs = 10 * 60_000;
const renewMs = 60_000;

/** Keeps the collection of garbage from removing blobs while `work` copies them. */
export async function holdWhile<T>(store: RegistryStore, now: () => number, work: () => Promise<T>): Promise<T> {
  const ended = new AbortController();
  await holdBlobs(store.db, now() + holdMs);
  const renewing = (async () => {
    while (!ended.signal.aborted) {
      await delay(renewMs, undefined, { signal: ended.signal }).catch(() => {});
      if (!ended.signal.aborted) await holdBlobs(store.db, now() + holdMs);
    }
  })();
  renewing.catch(() => {}); // told below
  try {
    return await work();
  } finally {
    ended.abort();
    await renewing;
  }
}
