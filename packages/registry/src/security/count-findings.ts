import { findStoredManifest, type ImageManifestRow } from "../content/queries/manifest-content.ts";
import type { EventDeps } from "../events/emit-event.ts";
import type { BlobStore } from "../ports/blob-store.ts";
import type { ImageScanner, LoadedFeed } from "../ports/scanning.ts";
import type { Clock } from "../ports.ts";
import { findFact, putFact } from "../store/registry-facts.ts";
import type { RegistryDb, RegistryStore } from "../store/tables/all.ts";
import { type CountedFindings, countFindings, nameToFind } from "./finding-counts.ts";
import { findImageReport, type ImageReport } from "./image-security.ts";
import { emitVulnerabilities, vulnerabilitiesOf } from "./new-vulnerabilities.ts";
import {
  hasJudgedCounts,
  listDue,
  listScannedManifests,
  markOutdated,
  putDue,
  putFindingCounts,
  putUpgrades,
  putUse,
  putVulnerabilities,
} from "./queries/findings.ts";

/**
 * The longest time until an image is counted again. Scans, changes of feeds, of attached documents, and changes and ends of rules cause a
 * new count earlier; feeds that only become outdated do not.
 */
const countsHoldMs = 24 * 3_600_000;

/** When an image is counted again if the scanner did not respond. */
const retryMs = 3_600_000;

/** How many images are read at a time. */
const countedAtOnce = 200;

/** How long one run counts: other jobs run between two. */
const runMs = 30_000;

/** A report that was read at an instant, with what it counts. */
export interface CountedScan {
  /** When it was read, in epoch milliseconds. */
  readonly at: number;
  /** Undefined if it could not be read. */
  readonly report: ImageReport | undefined;
  /** Undefined without a report of a scan. */
  readonly findings: CountedFindings | undefined;
}

/** Counts a report, outside of the transaction that stores the counts: a large report takes long. */
export async function countScan(report: ImageReport | undefined, at: number): Promise<CountedScan> {
  return { at, report, findings: report?.status === "scanned" ? await countFindings(report) : undefined };
}

/**
 * Stores the vulnerabilities of an image and their counts. Without a report, the image is due at once. Must run in a transaction.
 * @returns the names of the vulnerabilities that the image did not have before
 */
export async function storeCounts(
  db: RegistryDb,
  manifestId: string,
  { report, at, findings }: CountedScan,
): Promise<readonly string[]> {
  if (report?.status !== "scanned" || findings === undefined) {
    await putDue(db, manifestId, report === undefined ? 0 : at + countsHoldMs);
    return [];
  }
  const { counts, vulnerabilities, upgrades } = findings;
  const dueAt = Math.min(at + countsHoldMs, report.until);
  const wasJudged = await hasJudgedCounts(db, manifestId);
  const isNewest = await putFindingCounts(db, { manifestId, counts, at, dueAt });
  if (!isNewest) return [];
  const fresh = await putVulnerabilities(db, { manifestId, at, isNews: wasJudged }, vulnerabilities);
  await putUpgrades(db, manifestId, upgrades);
  await putUse(db, report.usedRules, at);
  return fresh;
}

/**
 * Counts the vulnerabilities of images whose counts are missing or old. Can be stopped at any moment.
 * @throws RegistryError `downstream_issue` if the scanner does not respond; the image is due again an hour later, so that others are counted first
 */
export async function countDueFindings(options: CountingOptions, signal: AbortSignal): Promise<void> {
  const { store, clock } = options;
  await noteChangedFeeds(options, signal);
  const end = clock.now() + runMs;
  let mayBeMore = true;
  while (mayBeMore && clock.now() < end) {
    const due = await listDue(store.db, { now: clock.now(), limit: countedAtOnce });
    for (const image of due) {
      signal.throwIfAborted();
      const manifest = await findStoredManifest(store.db, image);
      if (manifest !== undefined) await countImage(options, manifest, signal);
    }
    mayBeMore = due.length === countedAtOnce;
  }
}

/** The fact that has the feeds with which images were counted. */
const countedFeeds = "counted-feeds";

/**
 * Makes all images due, with counts that are marked as outdated, when a feed is new or gone, or one changed whose updates name no images,
 * such as that of known exploits. Updates of advisories name the images that they change, and those are counted at once.
 */
async function noteChangedFeeds({ store, scanner, clock }: CountingOptions, signal: AbortSignal): Promise<void> {
  const feeds = await scanner.feeds();
  if (feeds === undefined) return;
  const stateOf = ({ name, kind, changedAt }: LoadedFeed) =>
    kind === "enrichment" && !uncountedFeeds.has(name) ? [name, changedAt] : [name];
  const current = JSON.stringify(feeds.loaded.map(stateOf).sort());
  if (current === (await findFact(store.db, countedFeeds))) return;
  for (let count = 1; count > 0; ) {
    signal.throwIfAborted();
    count = await store.transaction((db) => markOutdated(db, clock.now()));
  }
  await store.transaction((db) => putFact(db, countedFeeds, current));
}

/** Feeds of facts that no count depends on: how likely exploits are. */
const uncountedFeeds: ReadonlySet<string> = new Set(["epss"]);

/** What {@link countDueFindings} needs. */
export interface CountingOptions {
  readonly store: RegistryStore;
  readonly scanner: ImageScanner;
  readonly blobs: BlobStore;
  readonly clock: Clock;
  readonly settings: EventDeps["settings"];
  readonly pageAddress: EventDeps["pageAddress"];
}

async function countImage(options: CountingOptions, manifest: ImageManifestRow, signal: AbortSignal): Promise<void> {
  const { store, scanner, blobs, clock } = options;
  const at = clock.now();
  const context = { db: store.db, imageScanner: scanner, blobs, now: at };
  try {
    const report = await findImageReport(context, manifest, signal);
    const counted = await countScan(report, at);
    await store.transaction(async (db) => {
      const fresh = await storeCounts(db, manifest.id, counted);
      if (report.status === "scanned" && fresh.length > 0) await emitStated(options, db, { manifest, report, fresh });
    });
  } catch (error) {
    if (!signal.aborted) await putDue(store.db, manifest.id, at + retryMs);
    throw error;
  }
}

/** A report that was counted. */
interface CountedReport {
  readonly manifest: ImageManifestRow;
  readonly report: Extract<ImageReport, { readonly status: "scanned" }>;
  /** The names of the vulnerabilities that the image did not have before, in the form of {@link nameToFind}. */
  readonly fresh: readonly string[];
}

/**
 * Emits events for new vulnerabilities in packages that only an attached SBOM lists: the SBOM is new, or a feed was updated. For packages in
 * layers, scans and updates of feeds emit the events.
 */
async function emitStated(
  { settings, clock, pageAddress }: CountingOptions,
  db: RegistryDb,
  { manifest, report: { report, sboms = new Set() }, fresh }: CountedReport,
): Promise<void> {
  if (!settings.features.repositoryNotifications || sboms.size === 0) return;
  const isStated = (id: string) => sboms.has(report.environments[id]?.[0]?.introduced_in ?? "");
  const stated = Object.entries(report.package_vulnerabilities).filter(([id]) => isStated(id));
  const found = vulnerabilitiesOf({ ...report, package_vulnerabilities: Object.fromEntries(stated) });
  const names = new Set(fresh);
  const vulnerabilities = found.filter(({ id }) => names.has(nameToFind(id)));
  if (vulnerabilities.length === 0) return;
  const held = (await listScannedManifests(db, manifest.digest)).find(({ id }) => id === manifest.id);
  if (held === undefined || !held.hasReceivers) return;
  const { namespace, repositoryName: name } = held;
  const image = { manifestId: manifest.id, repository: { id: manifest.repository_id, namespace, name } };
  await emitVulnerabilities({ db, settings, clock, pageAddress }, image, { vulnerabilities, cause: "scan" });
}
