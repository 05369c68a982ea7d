import type { ClusterLock } from "@plimsoll/store";

/** Locks that long work holds. */
export interface HeldLocks {
  readonly locks: readonly ClusterLock[];
  readonly clock: { now(): number };
  readonly leaseSeconds: number;
}

/** Returns a function to await between the steps of long work: it renews the locks long before they end, and not at every call. */
export function lockRenewal({ locks, clock, leaseSeconds }: HeldLocks): () => Promise<void> {
  let renewedAt = clock.now();
  return async () => {
    if (clock.now() - renewedAt < leaseSeconds * 200) return;
    renewedAt = clock.now();
    for (const lock of locks) await lock.renew();
  };
}
