import type { Engine } from "@plimsoll/core";
import type { IndexedImage } from "@plimsoll/core/internal";
import { formatPlatform } from "@plimsoll/core/platform";
import { holdLock, ifWritable, usualLeaseSeconds } from "@plimsoll/store";
import { lockName } from "./index-manifest.ts";
import { findStates, putScannedName } from "./store/indexed-images.ts";
import { putFinished } from "./store/put-finished.ts";
import type { IndexerStore } from "./store/tables.ts";
import { formatReport } from "./values/format-report.ts";
import { recordsToIndex } from "./values/indexed-records.ts";

/** Options of {@link rememberImage}. */
export interface RememberOptions {
  readonly store: IndexerStore;
  readonly engine: Pick<Engine, "matchers" | "keysState" | "state">;
  readonly clock: { now(): number };
  readonly signal?: AbortSignal;
}

/**
 * Stores a scanned image under the name that the user gave, so that {@link findIndexedImages} finds it. The last 1,000 names are kept,
 * each with the image of its last scan. It writes nothing if the database cannot be written now, or while another process stores the
 * same image.
 * @example
 * declare const store: IndexerStore;
 * declare const image: IndexedImage;
 * await rememberImage({ store, engine: createEngine({ ecosystems: allEcosystems }), clock: Date }, image);
 */
export async function rememberImage(options: RememberOptions, image: IndexedImage): Promise<void> {
  const { store, clock } = options;
  const { report, platform } = image;
  await ifWritable(async () => {
    if (!(await isKnown(options, image)) && !(await putImage(options, image))) return;
    await putScannedName(store, {
      name: nameOf(image),
      platform: platform === undefined ? "" : formatPlatform(platform),
      digest: report.manifestDigest,
      at: clock.now(),
    });
  });
}

/** The name of the source, with the image's reference unless it ends with it. */
function nameOf({ source, reference }: IndexedImage): string {
  return source.endsWith(reference) ? source : `${source} ${reference}`;
}

/** Whether the stored image is up to date. An image of the service always is, because the service indexes it again. */
async function isKnown({ store, engine }: RememberOptions, { report }: IndexedImage): Promise<boolean> {
  const known = await findStates(store, report.manifestDigest);
  if (known?.scanned === 0) return true;
  return known?.engine_state === engine.state && known.keys_state === engine.keysState;
}

/** Returns false if another process is storing the image. */
async function putImage({ store, engine, clock, signal }: RememberOptions, { report }: IndexedImage): Promise<boolean> {
  const name = lockName(report.manifestDigest);
  const lock = await store.tryLock(name, { clock, leaseSeconds: usualLeaseSeconds });
  if (lock === undefined) return false;
  const held = { leaseSeconds: usualLeaseSeconds, signal };
  return holdLock(lock, held, (whileHeld) =>
    putFinished(store, {
      manifestDigest: report.manifestDigest,
      report: formatReport(report),
      engineState: engine.state,
      layers: report.coverage.layers.map(({ digest }) => digest),
      records: recordsToIndex(engine, report),
      at: clock.now(),
      lock: name,
      signal: whileHeld,
    }),
  );
}
