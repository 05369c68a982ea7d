import { isDigest } from "@plimsoll/core/digest";
import { cooperativeYield, countJobs, hastenRecurrence, job } from "@plimsoll/store";
import type { Clock } from "../ports.ts";
import { findFact, putFact } from "../store/registry-facts.ts";
import type { RegistryDb, RegistryStore } from "../store/tables/all.ts";
import { type CountingOptions, countDueFindings } from "./count-findings.ts";
import { type DeleteReportsOptions, deleteReports, noteGoneImages, noteOrphanedReports } from "./delete-reports.ts";
import { countImagesAgain } from "./queries/attached.ts";
import {
  findNamespaceOf,
  findNewestLogEntry,
  listIndexedAfter,
  listIndexedBefore,
  listLogEntries,
  listNeverIndexed,
  listWaitingScans,
  markQueued,
  type Scan,
} from "./queries/scans.ts";
import type { ScanOptions } from "./scan-manifest.ts";
import { enqueueScan, scanManifestJob } from "./scan-queue.ts";

/** Deletes the scanner's reports of images that no repository has any more. Recurs. */
export const deleteReportsJob = job({
  kind: "registry.delete-reports",
  key: () => "",
  priority: "bulk",
  async handle({ signal }, options: DeleteReportsOptions) {
    await noteLoggedImages(options.store, signal);
    await noteOrphanedReports(options, signal);
    await deleteReports(options, signal);
  },
});

/** Queues images for scanning. Recurs. See {@link queueRescans}. */
export const rescanJob = job({
  kind: "registry.rescan-manifests",
  key: () => "",
  priority: "bulk",
  handle: ({ signal }, options: ScanOptions) => queueRescans(options, signal),
});

/** Counts the vulnerabilities of images whose counts are missing or old. Recurs. */
export const countFindingsJob = job({
  kind: "registry.count-findings",
  key: () => "",
  priority: "bulk",
  handle: ({ signal }, options: CountingOptions) => countDueFindings(options, signal),
});

/** Makes images due for counting, and starts the counting job now. */
export async function countImagesNow(
  { store, clock }: { readonly store: RegistryStore; readonly clock: Clock },
  manifestIds: readonly string[],
): Promise<void> {
  await store.transaction(async (db) => {
    await countImagesAgain(db, manifestIds);
    await hastenRecurrence({ db, clock }, countFindingsJob, null);
  });
}

/** How many entries of the usage log are read in one transaction. */
const stepLength = 1000;

/** The kinds of entries that name an image by its digest. */
const kinds: ReadonlySet<string> = new Set(["pull_repo", "create_tag", "move_tag", "revert_tag"]);

/**
 * Finds deleted images whose reports the scanner may still have, by the usage log. Needed for images that were collected before the
 * collection stored their digests: the scanner cannot be asked, since it may have images of other clients. Reads every entry that
 * exists at its first call once, and resumes after an interruption.
 * @returns how many entries this call has read
 */
export async function noteLoggedImages(store: RegistryStore, signal: AbortSignal): Promise<number> {
  const yieldToOthers = cooperativeYield();
  for (let entries = 0; ; await yieldToOthers()) {
    signal.throwIfAborted();
    const step = await store.transaction((db) => readStep(db));
    if (step === 0) return entries;
    entries += step;
  }
}

/** The ids of the last entry that was read, and of the last entry to read. */
interface Progress {
  readonly after: number;
  readonly until: number;
}

const progressFact = "images-of-log-noted";

async function readStep(db: RegistryDb): Promise<number> {
  const { after, until } = await findProgress(db);
  if (after >= until) return 0;
  const entries = await listLogEntries(db, { after, until, limit: stepLength });
  const named = entries.filter(({ kind }) => kinds.has(kind)).flatMap(({ metadata }) => digestIn(metadata));
  await noteGoneImages(db, [...new Set(named)].sort());
  const last = entries.length < stepLength ? until : Number(entries.at(-1)?.id);
  await putFact(db, progressFact, JSON.stringify({ after: last, until }));
  return entries.length;
}

async function findProgress(db: RegistryDb): Promise<Progress> {
  const stored = await findFact(db, progressFact);
  if (stored !== undefined) return JSON.parse(stored) as Progress;
  const newest = await findNewestLogEntry(db);
  const progress = { after: 0, until: Number(newest?.id ?? 0) };
  await putFact(db, progressFact, JSON.stringify(progress));
  return progress;
}

function digestIn(metadata: string): readonly string[] {
  const { manifest_digest: digest } = JSON.parse(metadata) as { readonly manifest_digest?: unknown };
  return typeof digest === "string" && isDigest(digest) ? [digest] : [];
}

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
export async function queueRescans(
  { store, scanner, clock }: Pick<ScanOptions, "store" | "scanner" | "clock">,
  signal: AbortSignal,
): Promise<void> {
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
