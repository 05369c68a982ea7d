import { cooperativeYield } from "@plimsoll/store";
import type { BlobStore } from "../ports/blob-store.ts";
import type { ImageScanner } from "../ports/scanning.ts";
import type { Clock } from "../ports.ts";
import type { RegistrySettings } from "../settings.ts";
import type { RegistryStore } from "../store/tables/all.ts";
import { storeCounts } from "./count-findings.ts";
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

/** A vulnerability that came to an image, or left it. */
export interface ChangedFinding {
  readonly name: string;
  /** One of the normalized severities. */
  readonly severity: string;
}

/** What a feed changed for an image: one that is new, or one that was updated. */
export interface ImageChange {
  readonly cause: Exclude<FindingCause, "scan">;
  readonly digest: string;
  readonly added: readonly ChangedFinding[];
  readonly removed: readonly ChangedFinding[];
}

/** Counts the vulnerabilities of images again when updates of feeds change them, and tells notifications of repositories. */
export interface ImageWatch {
  /** Whether any image was scanned. */
  isNeeded(): Promise<boolean>;
  /** Those of some digests whose images were scanned for a repository. */
  filter(digests: readonly string[]): Promise<readonly string[]>;
  /**
   * Stores the counts of the images of a change, and queues its events. What was told before is not told again, so a change can be told again after a crash.
   * @throws RegistryError `downstream_issue` when the scanner cannot be asked
   */
  tell(change: ImageChange, options: { readonly signal: AbortSignal }): Promise<void>;
}

/** What a watch takes. */
export interface ImageWatchOptions {
  readonly store: RegistryStore;
  readonly scanner: ImageScanner;
  readonly blobs: BlobStore;
  readonly clock: Clock;
  readonly settings: RegistrySettings;
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
    async tell(change, { signal }) {
      const asked = { names: namesOf(change), cause: change.cause, signal };
      for (const manifest of await listScannedManifests(db, change.digest)) {
        signal.throwIfAborted();
        await tellOfManifest(options, manifest, asked);
        await yieldToOthers();
      }
    },
  };
}

/** The names of vulnerabilities that changed; where only the words of an advisory did, there are none. */
function namesOf({ added, removed }: ImageChange): ReadonlySet<string> {
  const keyOf = ({ name, severity }: ChangedFinding) => JSON.stringify([name, severity]);
  const [came, left] = [new Set(added.map(keyOf)), new Set(removed.map(keyOf))];
  const fresh = added.filter((finding) => !left.has(keyOf(finding)));
  const gone = removed.filter((finding) => !came.has(keyOf(finding)));
  return new Set([...fresh, ...gone].map(({ name }) => name));
}

interface AskedChange extends Pick<ImageChange, "cause"> {
  readonly names: ReadonlySet<string>;
  readonly signal: AbortSignal;
}

type ScannedManifest = Awaited<ReturnType<typeof listScannedManifests>>[number];

/** The report as it is now decides what is told: it is less what VEX documents take out, and knows what changed since. */
async function tellOfManifest(
  options: ImageWatchOptions,
  manifest: ScannedManifest,
  { names, cause, signal }: AskedChange,
): Promise<void> {
  const { store, scanner, blobs, clock, settings } = options;
  const at = clock.now();
  const asking = { db: store.db, ports: { blobs, imageScanner: scanner }, now: at };
  const report = await findImageReport(asking, manifest, signal);
  const { id: manifestId, repository_id: id, repositoryName: name, namespace } = manifest;
  const isTold = Boolean(manifest.hasReceivers) && settings.features.repositoryNotifications; // SQLite says 0 or 1
  if (report.status !== "scanned" || !isTold || names.size === 0) {
    await store.transaction((db) => storeCounts(db, manifestId, { report, at }));
    return;
  }
  const found = vulnerabilitiesOf(report.report).filter((each) => names.has(each.id));
  const image = { manifestId, repository: { id, name, namespace } };
  const isGone = ({ name: told, priority }: NotifiedFinding) =>
    names.has(told) && !found.some((each) => each.id === told && each.priority === priority);
  await store.transaction(async (db) => {
    await storeCounts(db, manifestId, { report, at });
    await removeNotified(db, manifestId, (await listNotified(db, manifestId)).filter(isGone));
    await emitVulnerabilities({ db, settings, ports: { clock } }, image, { vulnerabilities: found, cause });
  });
}
