import { countJobs } from "@plimsoll/store";
import type { Clock } from "../ports.ts";
import type { RegistryDb, RegistryStore } from "../store/tables/all.ts";
import {
  findNamespaceOf,
  findNeverRead,
  findReadAfter,
  findReadBefore,
  findWaiting,
  markQueued,
  type Scan,
} from "./queries/rescans.ts";
import type { ScanOptions } from "./scan-manifest.ts";
import { scanManifestJob } from "./scan-manifest-job.ts";
import { enqueueScan } from "./scan-queue.ts";

/** How long an image is left alone that was read by an older scanner, or could not be read. */
const restMs = 24 * 3_600_000;

/** How many scans the queue has at most before more are added: scanning all images again must not delay other jobs. */
const mostInQueue = 500;

/**
 * Queues images that are to be scanned. First those that wait without a job, as all do that were pushed while the registry had no
 * scanner. Then those that were scanned in another state of the scanner, and those that could not be read. What was found earlier
 * is shown meanwhile. Images for which the queue has no place are queued the next time. It can be stopped at any moment, and two
 * processes at once queue nothing twice.
 */
export async function queueRescans({ store, scanner, clock }: ScanOptions, signal: AbortSignal): Promise<void> {
  const current = await scanner.state({ signal });
  const now = clock.now();
  let places = mostInQueue - (await countQueued(store.db));
  const until = now - restMs;
  const questions = [
    () => findWaiting(store.db, now),
    () => findNeverRead(store.db, until),
    () => findReadBefore(store.db, until, current),
    () => findReadAfter(store.db, until, current),
  ];
  for (const findPage of questions) {
    for (let page = await findPage(); page.length > 0; page = await findPage()) {
      for (const scan of page) {
        signal.throwIfAborted();
        if (places <= 0) return;
        if (await requeue(store, scan, clock)) places--;
      }
    }
  }
}

async function countQueued(db: RegistryDb): Promise<number> {
  const jobs = await countJobs(db, { kind: scanManifestJob.kind });
  const queued = jobs.filter(({ state }) => state !== "dead");
  return queued.reduce((sum, each) => sum + each.jobs, 0);
}

/** Puts a scan into the queue, unless another process has changed it meanwhile. @returns whether there is one more in the queue */
function requeue(store: RegistryStore, scan: Scan, clock: Clock): Promise<boolean> {
  const { manifest_id: manifestId } = scan;
  const now = clock.now();
  return store.transaction(async (db) => {
    if (!(await markQueued(db, scan, now))) return false;
    const namespaceId = (await findNamespaceOf(db, manifestId)) ?? "";
    return enqueueScan(db, { manifestId, namespaceId, runAt: now }, clock);
  });
}
