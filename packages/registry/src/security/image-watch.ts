import { cooperativeYield } from "@plimsoll/store";
import type { BlobStore } from "../ports/blob-store.ts";
import type { ImageScanner } from "../ports/scanning.ts";
import type { Clock, PageAddress } from "../ports.ts";
import type { RegistrySettings } from "../settings.ts";
import type { RegistryStore } from "../store/tables/all.ts";
import { countScan, storeCounts } from "./count-findings.ts";
import { findImageReport } from "./image-security.ts";
import { emitVulnerabilities, type FindingCause, vulnerabilitiesOf } from "./new-vulnerabilities.ts";
import {
  findScannedDigests,
  hasScannedImages,
  listNotified,
  listScannedManifests,
  type NotifiedFinding,
  removeNotified,
} from "./queries/findings.ts";

/** A vulnerability that was added to an image, or removed from it. */
export interface ChangedFinding {
  readonly name: string;
  /** One of the normalized severities. */
  readonly severity: string;
}

/** The change of an image's vulnerabilities by a feed that is new or was updated. */
export interface ImageChange {
  readonly cause: Exclude<FindingCause, "scan">;
  readonly digest: string;
  readonly added: readonly ChangedFinding[];
  readonly removed: readonly ChangedFinding[];
}

/** Stores new counts of images when updates of feeds change their vulnerabilities, and emits events for notifications. */
export interface ImageWatch {
  /** Whether any image was scanned. */
  isNeeded(): Promise<boolean>;
  /** Returns those of some digests whose images were scanned for a repository. */
  filter(digests: readonly string[]): Promise<readonly string[]>;
  /**
   * Stores the counts of the images with the digest of a change, and queues its events. Each event is queued once, so a call can be repeated after a crash.
   * @throws RegistryError `downstream_issue` if the scanner does not respond
   */
  applyChange(change: ImageChange, options: { readonly signal: AbortSignal }): Promise<void>;
}

/** What {@link createImageWatch} needs. */
export interface ImageWatchOptions {
  readonly store: RegistryStore;
  readonly scanner: ImageScanner;
  readonly blobs: BlobStore;
  readonly clock: Clock;
  readonly settings: RegistrySettings;
  readonly pageAddress: PageAddress;
}

/** The watch of a registry. */
export function createImageWatch(options: ImageWatchOptions): ImageWatch {
  const { db } = options.store;
  const yieldToOthers = cooperativeYield();
  return {
    isNeeded: () => hasScannedImages(db),
    async filter(digests) {
      const scanned = await findScannedDigests(db, digests);
      return digests.filter((digest) => scanned.has(digest));
    },
    async applyChange(change, { signal }) {
      const changed = { names: namesOf(change), cause: change.cause, signal };
      for (const manifest of await listScannedManifests(db, change.digest)) {
        signal.throwIfAborted();
        await updateManifest(options, manifest, changed);
        await yieldToOthers();
      }
    },
  };
}

/** The names of the added and removed vulnerabilities; empty if only texts of advisories changed. */
function namesOf({ added, removed }: ImageChange): ReadonlySet<string> {
  const keyOf = ({ name, severity }: ChangedFinding) => JSON.stringify([name, severity]);
  const [came, left] = [new Set(added.map(keyOf)), new Set(removed.map(keyOf))];
  const fresh = added.filter((finding) => !left.has(keyOf(finding)));
  const gone = removed.filter((finding) => !came.has(keyOf(finding)));
  return new Set([...fresh, ...gone].map(({ name }) => name));
}

interface ManifestChange extends Pick<ImageChange, "cause"> {
  readonly names: ReadonlySet<string>;
  readonly signal: AbortSignal;
}

type ScannedManifest = Awaited<ReturnType<typeof listScannedManifests>>[number];

/** Events are made from the current report, which has no suppressed findings and includes later changes. */
async function updateManifest(
  options: ImageWatchOptions,
  manifest: ScannedManifest,
  { names, cause, signal }: ManifestChange,
): Promise<void> {
  const { store, scanner, blobs, clock, settings, pageAddress } = options;
  const at = clock.now();
  const context = { db: store.db, blobs, imageScanner: scanner, now: at };
  const report = await findImageReport(context, manifest, signal);
  const counted = await countScan(report, at);
  const { id: manifestId, repository_id: id, repositoryName: name, namespace } = manifest;
  const notifies = Boolean(manifest.hasReceivers) && settings.features.repositoryNotifications; // SQLite says 0 or 1
  if (report.status !== "scanned" || !notifies || names.size === 0) {
    await store.transaction((db) => storeCounts(db, manifestId, counted));
    return;
  }
  const found = vulnerabilitiesOf(report.report).filter((each) => names.has(each.id));
  const image = { manifestId, repository: { id, name, namespace } };
  const left = new Map(found.map((each) => [each.id, each.priority]));
  const isGone = ({ name: id, priority }: NotifiedFinding) => names.has(id) && left.get(id) !== priority;
  await store.transaction(async (db) => {
    await storeCounts(db, manifestId, counted);
    await removeNotified(db, manifestId, (await listNotified(db, manifestId)).filter(isGone));
    await emitVulnerabilities({ db, settings, clock, pageAddress }, image, { vulnerabilities: found, cause });
  });
}
