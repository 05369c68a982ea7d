import type { ScanOptions } from "./scan-manifest.ts";
import { enqueueScan } from "./scan-queue.ts";

/** How long an image is left alone that was read by an older scanner, or could not be read. */
const restMs = 24 * 3_600_000;

/** After so long an image was forgotten that waits to be read. */
const forgottenMs = 6 * 3_600_000;

/** How many are queued at a time: reading all images again must not delay those that are pushed. */
const batchLength = 500;

/**
 * Queues images that are to be read again: those that were read in another state of the scanner, those that nobody could read, and
 * those that wait although no job does. What was found earlier is shown meanwhile.
 */
export async function queueRescans({ store, scanner, clock }: ScanOptions, signal: AbortSignal): Promise<void> {
  const current = await scanner.state({ signal });
  const now = clock.now();
  const stale = await store.db
    .selectFrom("manifest_scan")
    .select("manifest_id")
    .where(({ or, and, eb }) =>
      or([
        and([
          eb("state", "in", ["scanned", "failed", "manifest_layer_too_large"]),
          eb("index_state", "is distinct from", current),
          eb("changed_at", "<=", now - restMs),
        ]),
        and([eb("state", "=", "queued"), eb("changed_at", "<=", now - forgottenMs)]),
      ]),
    )
    .orderBy("changed_at")
    .limit(batchLength)
    .execute();
  for (const { manifest_id: manifestId } of stale) {
    signal.throwIfAborted();
    await store.transaction(async (db) => {
      const queued = { state: "queued", reason: null, changed_at: now } as const;
      await db.updateTable("manifest_scan").set(queued).where("manifest_id", "=", manifestId).execute();
      await enqueueScan(db, { manifestId, runAt: now }, clock);
    });
  }
}
