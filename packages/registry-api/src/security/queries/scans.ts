import { receiversOf } from "../../events/queries/repository-notifications.ts";
import { inChunks } from "../../store/bounded-reads.ts";
import type { NewRow, RegistryDb } from "../../store/tables/all.ts";
import type { ScanState } from "../../store/tables/content.ts";

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

/** Notes that the scanner may have a report of images. */
export async function noteImages(db: RegistryDb, digests: readonly string[]): Promise<void> {
  await db
    .insertInto("collected_image")
    .values(digests.map((digest) => ({ digest })))
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}

/** The digests of some images that were collected. */
export async function findCollected(db: RegistryDb): Promise<readonly string[]> {
  const rows = await db.selectFrom("collected_image").select("digest").orderBy("digest").limit(pageLength).execute();
  return rows.map(({ digest }) => digest);
}

/** Those of some images that a repository has. */
export async function findKept(db: RegistryDb, digests: readonly string[]): Promise<ReadonlySet<string>> {
  const rows = await db
    .selectFrom("image_manifest")
    .select("digest")
    .distinct()
    .where("digest", "in", digests)
    .execute();
  return new Set(rows.map(({ digest }) => digest));
}

/** Queues those of the images that were pushed again since: the scanner no longer has their reports. */
export async function readAgain(db: RegistryDb, digests: readonly string[], now: number): Promise<void> {
  await db
    .updateTable("manifest_scan")
    .set({ state: "queued", changed_at: now })
    .where("manifest_id", "in", (of) => of.selectFrom("image_manifest").select("id").where("digest", "in", digests))
    .where("state", "!=", "queued")
    .execute();
}

/** Deletes notes of collected images. */
export async function removeCollected(db: RegistryDb, digests: readonly string[]): Promise<void> {
  await db.deleteFrom("collected_image").where("digest", "in", digests).execute();
}

/** What is known of the scan of an image. */
export function findScan(db: RegistryDb, manifestId: string) {
  return db
    .selectFrom("manifest_scan")
    .select(["state", "reason"])
    .where("manifest_id", "=", manifestId)
    .executeTakeFirst();
}

/** Some entries of the usage log, by their ids. */
export function listLogEntries(
  db: RegistryDb,
  range: { readonly after: number; readonly until: number; readonly limit: number },
) {
  return db
    .selectFrom("usage_log")
    .select(["id", "kind", "metadata"])
    .where("id", ">", range.after)
    .where("id", "<=", range.until)
    .orderBy("id")
    .limit(range.limit)
    .execute();
}

/** The newest entry of the usage log. */
export function findNewestLogEntry(db: RegistryDb) {
  return db.selectFrom("usage_log").select("id").orderBy("id", "desc").limit(1).executeTakeFirst();
}

/** The result of an image's scan. */
interface ScanEnd {
  readonly manifestId: string;
  /** With what it was read; null: it was not. */
  readonly indexState: string | null;
  readonly state: ScanState;
  readonly reason: string | null;
  readonly now: number;
}

/** @returns false where another process has remembered it meanwhile */
export async function remember(
  db: RegistryDb,
  { manifestId, indexState, state, reason, now }: ScanEnd,
): Promise<boolean> {
  const remembered = await db
    .updateTable("manifest_scan")
    .set((row) => ({ state, reason, index_state: indexState, attempts: row("attempts", "+", 1), changed_at: now }))
    .where("manifest_id", "=", manifestId)
    .where("state", "=", "queued")
    .returning("manifest_id")
    .executeTakeFirst();
  if (remembered !== undefined && state !== "scanned") await removeFindingCounts(db, manifestId);
  return remembered !== undefined;
}

/** Nothing is said of an image that could not be read. */
async function removeFindingCounts(db: RegistryDb, manifestId: string): Promise<void> {
  await db.deleteFrom("finding_count").where("manifest_id", "=", manifestId).execute();
}

/** An image that waits to be scanned, with its repository. */
export async function findQueued(db: RegistryDb, manifestId: string) {
  return db
    .selectFrom("image_manifest")
    .innerJoin("manifest_scan", "manifest_scan.manifest_id", "image_manifest.id")
    .innerJoin("image_repository", "image_repository.id", "image_manifest.repository_id")
    .innerJoin("account", "account.id", "image_repository.namespace_id")
    .select(["manifest_id", "image_manifest.digest", "image_manifest.is_index", "image_manifest.content"])
    .select(["image_repository.id", "image_repository.name", "account.username as namespace", "index_state"])
    .select(({ exists, ref }) =>
      exists(receiversOf(db, ref("image_repository.id"), "vulnerability_found")).as("has_receivers"),
    )
    .where("image_manifest.id", "=", manifestId)
    .where("manifest_scan.state", "=", "queued")
    .executeTakeFirst();
}

/** Deletes what is known of the scan of an image. */
export async function forgetScan(db: RegistryDb, manifestId: string): Promise<void> {
  await db.deleteFrom("manifest_scan").where("manifest_id", "=", manifestId).execute();
}

/** Stores the scan of an image. @returns false where there is one */
export async function insertScan(db: RegistryDb, scan: NewRow<"manifest_scan">): Promise<boolean> {
  const added = await db
    .insertInto("manifest_scan")
    .values(scan)
    .onConflict((conflict) => conflict.doNothing())
    .returning("manifest_id")
    .executeTakeFirst();
  return added !== undefined;
}
