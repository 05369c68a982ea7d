import { sql } from "kysely";
import { findFact, putFact } from "../../../store/registry-facts.ts";
import type { RegistryDb, RegistryStore } from "../../../store/tables/all.ts";

/** Figures of the registry, for its operators. */
export interface RegistryFigures {
  /** The stored blobs, counted by the last collection; absent before the first. */
  readonly stored?: StoredBlobs;
  /** Unfinished uploads, and their bytes so far. */
  readonly uploads: number;
  readonly uploadBytes: number;
  /** Images that wait for their scan. */
  readonly queuedScans: number;
  /** Blobs of repositories that are known to be missing or damaged. */
  readonly damagedBlobs: number;
  /** Epoch milliseconds: the beginning of the last finished collection; absent before the first. */
  readonly collectedAt?: number;
}

/** Counts the blobs of repositories that are known to be missing or damaged. */
async function countDamagedBlobs(db: RegistryDb): Promise<number> {
  const { blobs } = await db
    .selectFrom("blob")
    .select(({ fn }) => fn.countAll<number>().as("blobs"))
    .where("damaged_at", "is not", null)
    .executeTakeFirstOrThrow();
  return Number(blobs);
}

/** The blobs of a store. */
export interface StoredBlobs {
  readonly blobs: number;
  readonly bytes: number;
}

/** The fact with the beginning of the last finished collection. */
export const lastCollection = "last-collection-at";

const storedBlobs = "stored-blobs";

/** Stores the figures of a collection that has counted every blob. */
export async function putStoredBlobs(db: RegistryDb, stored: StoredBlobs): Promise<void> {
  await putFact(db, storedBlobs, JSON.stringify(stored));
}

/**
 * Reads the stored figures, and counts uploads and scans in progress. Finished blobs are not counted again.
 * @example
 * declare const store: RegistryStore;
 * const { stored, uploads } = await readRegistryFigures(store);
 * console.log(`${stored?.bytes ?? 0} bytes, and ${uploads} uploads under way`);
 */
export async function readRegistryFigures({ db }: RegistryStore): Promise<RegistryFigures> {
  const [stored, collectedAt] = [await findFact(db, storedBlobs), await findFact(db, lastCollection)];
  const { uploads, bytes } = await db
    .selectFrom("upload")
    .select(({ fn }) => [fn.countAll<number>().as("uploads"), fn.sum<number | null>("received_bytes").as("bytes")])
    .executeTakeFirstOrThrow();
  const { scans } = await db
    .selectFrom("manifest_scan")
    .select(({ fn }) => fn.countAll<number>().as("scans"))
    .where("state", "=", sql.lit("queued")) // a literal, so that the partial index is used
    .executeTakeFirstOrThrow();
  return {
    stored: stored === undefined ? undefined : (JSON.parse(stored) as StoredBlobs),
    uploads: Number(uploads),
    uploadBytes: Number(bytes ?? 0),
    queuedScans: Number(scans),
    damagedBlobs: await countDamagedBlobs(db),
    collectedAt: collectedAt === undefined ? undefined : Number(collectedAt),
  };
}
