import { countJobs } from "@plimsoll/store";
import type { Clock } from "../ports.ts";
import type { RegistryDb, RegistryStore } from "../store/tables/all.ts";
import {
  findNamespaceOf,
  listIndexedAfter,
  listIndexedBefore,
  listNeverIndexed,
  listWaitingScans,
  markQueued,
  type Scan,
} from "./queries/scans.ts";
import type { ScanOptions } from "./scan-manifest.ts";
import { scanManifestJob } from "./scan-manifest-job.ts";
import { enqueueScan } from "./scan-queue.ts";

/** The shortest time between two scans of an image that has failed, or was indexed in another state of the scanner. */
const restMs = 24 * 3_600_000;

/** How many scans the queue has at most before more are added: scanning all images again must not delay other jobs. */
const mostInQueue = 500;

/**
 * Queues images for scanning. First those that wait without a job, for example since the registry had no scanner when they were pushed.
 * Then those that could not be indexed, and those that were indexed in another state of the scanner; their earlier reports are shown in
 * the meantime. Images beyond the length of the queue are queued by later calls. Can be stopped at any moment; two processes never
 * queue an image twice.
 */
export async function queueRescans({ store, scanner, clock }: ScanOptions, signal: AbortSignal): Promise<void> {
  const current = await scanner.state({ signal });
  const now = clock.now();
  let places = mostInQueue - (await countQueued(store.db));
  const until = now - restMs;
  const queries = [
    () => listWaitingScans(store.db, now),
    () => listNeverIndexed(store.db, until),
    () => listIndexedBefore(store.db, until, current),
    () => listIndexedAfter(store.db, until, current),
  ];
  for (const findPage of queries) {
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

/** Queues a scan, unless another process has changed it in the meantime. @returns whether a job was added */
function requeue(store: RegistryStore, scan: Scan, clock: Clock): Promise<boolean> {
  const { manifest_id: manifestId } = scan;
  const now = clock.now();
  return store.transaction(async (db) => {
    if (!(await markQueued(db, scan, now))) return false;
    const namespaceId = (await findNamespaceOf(db, manifestId)) ?? "";
    return enqueueScan(db, { manifestId, namespaceId, runAt: now }, clock);
  });
}
