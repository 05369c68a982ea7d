import { type Digest, parseDigest } from "@plimsoll/core";
import type { Clock, ImageScanner } from "../ports.ts";
import { inChunks } from "../store/bounded-reads.ts";
import type { RegistryDb, RegistryStore } from "../store/tables/all.ts";

/** How many images are forgotten at a time. */
const pageLength = 100;

/** Notes that the scanner may have a report of images that a repository has no longer. */
export async function noteCollectedImages(db: RegistryDb, manifestIds: readonly string[]): Promise<void> {
  for (const ids of inChunks(manifestIds)) {
    await db
      .insertInto("collected_image")
      .columns(["digest"])
      .expression((from) =>
        from
          .selectFrom("image_manifest")
          .innerJoin("manifest_scan", "manifest_scan.manifest_id", "image_manifest.id")
          .select("image_manifest.digest")
          .distinct()
          .where("image_manifest.id", "in", ids)
          .where("manifest_scan.attempts", ">", 0)
          .orderBy("image_manifest.digest"),
      )
      .onConflict((conflict) => conflict.doNothing())
      .execute();
  }
}

/** Notes the same of an image that was read while it was collected. */
export function noteReadTooLate(db: RegistryDb, digest: Digest): Promise<void> {
  return noteImages(db, [digest]);
}

/** Notes the same of those of some images that no repository has. */
export async function noteGoneImages(db: RegistryDb, digests: readonly string[]): Promise<void> {
  for (const some of inChunks(digests)) {
    const kept = await findKept(db, some);
    const gone = some.filter((digest) => !kept.has(digest));
    if (gone.length > 0) await noteImages(db, gone);
  }
}

async function noteImages(db: RegistryDb, digests: readonly string[]): Promise<void> {
  await db
    .insertInto("collected_image")
    .values(digests.map((digest) => ({ digest })))
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}

/** What forgetting takes. */
export interface ForgettingOptions {
  readonly store: RegistryStore;
  readonly scanner: ImageScanner;
  readonly clock: Clock;
}

/**
 * Has the scanner forget the images that were collected and are in no repository any more. One that is pushed again meanwhile is
 * read again. It can be stopped and begun again at any moment.
 * @returns how many were forgotten
 */
export async function forgetReports(
  { store, scanner, clock }: ForgettingOptions,
  signal: AbortSignal,
): Promise<number> {
  let forgotten = 0;
  for (let page = await findCollected(store.db); page.length > 0; page = await findCollected(store.db)) {
    signal.throwIfAborted();
    const kept = await findKept(store.db, page);
    const gone = page.filter((digest) => !kept.has(digest));
    if (gone.length > 0) {
      await scanner.forget?.(gone.map(parseDigest), { signal });
      await readAgain(store.db, gone, clock.now());
    }
    await store.db.deleteFrom("collected_image").where("digest", "in", page).execute();
    forgotten += gone.length;
  }
  return forgotten;
}

async function findCollected(db: RegistryDb): Promise<readonly string[]> {
  const rows = await db.selectFrom("collected_image").select("digest").orderBy("digest").limit(pageLength).execute();
  return rows.map(({ digest }) => digest);
}

/** Those of some images that a repository has. */
async function findKept(db: RegistryDb, digests: readonly string[]): Promise<ReadonlySet<string>> {
  const rows = await db
    .selectFrom("image_manifest")
    .select("digest")
    .distinct()
    .where("digest", "in", digests)
    .execute();
  return new Set(rows.map(({ digest }) => digest));
}

/** Whoever has pushed one of the images since has its report no more. */
async function readAgain(db: RegistryDb, digests: readonly string[], now: number): Promise<void> {
  await db
    .updateTable("manifest_scan")
    .set({ state: "queued", changed_at: now })
    .where("manifest_id", "in", (of) => of.selectFrom("image_manifest").select("id").where("digest", "in", digests))
    .where("state", "!=", "queued")
    .execute();
}
