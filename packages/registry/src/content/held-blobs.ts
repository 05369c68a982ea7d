import { findFact, putFact } from "../store/registry-facts.ts";
import type { RegistryDb } from "../store/tables/all.ts";

const heldUntil = "blobs-held-until";

/**
 * Prevents garbage collection from removing blobs until an instant (epoch milliseconds), for a backup of the registry. It never
 * shortens an earlier hold.
 * @example
 * declare const store: RegistryStore;
 * await holdBlobs(store.db, Date.now() + 3_600_000); // nothing is removed while it is copied
 */
export async function holdBlobs(db: RegistryDb, until: number): Promise<void> {
  if (!(await areBlobsHeld(db, until))) await putFact(db, heldUntil, String(until));
}

/** Whether no blob may be removed at an instant. */
export async function areBlobsHeld(db: RegistryDb, now: number): Promise<boolean> {
  return Number((await findFact(db, heldUntil)) ?? 0) > now;
}
