import { type Selectable, sql } from "kysely";
import { receiversOf } from "../../events/queries/notifications.ts";
import type { NewRow, RegistryDb } from "../../store/tables/all.ts";
import type { ManifestKind, ManifestScanTable, ScanState } from "../../store/tables/content.ts";

/** How many images are read at a time. */
const pageLength = 100;

/** Stores that the scanner may have reports of images that are deleted. */
export async function noteImages(db: RegistryDb, digests: readonly string[]): Promise<void> {
  await db
    .insertInto("collected_image")
    .values(digests.map((digest) => ({ digest })))
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}

/** The digests of some collected images of which the scanner may have reports. */
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

/** Queues those of some images that were pushed again, since their reports are deleted. */
export async function requeueScans(db: RegistryDb, digests: readonly string[], now: number): Promise<void> {
  await db
    .updateTable("manifest_scan")
    .set({ state: "queued", changed_at: now })
    .where("manifest_id", "in", (of) => of.selectFrom("image_manifest").select("id").where("digest", "in", digests))
    .where("state", "!=", "queued")
    .execute();
}

/** Deletes the digests of collected images whose reports are deleted. */
export async function removeCollected(db: RegistryDb, digests: readonly string[]): Promise<void> {
  await db.deleteFrom("collected_image").where("digest", "in", digests).execute();
}

/** The scan of an image. */
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
  /** The state of the scanner that indexed it; null: it was not indexed. */
  readonly indexState: string | null;
  readonly state: ScanState;
  readonly reason: string | null;
  readonly now: number;
}

/** Stores the result of a queued scan. @returns false if another process has stored one in the meantime */
export async function storeScanEnd(
  db: RegistryDb,
  { manifestId, indexState, state, reason, now }: ScanEnd,
): Promise<boolean> {
  const stored = await db
    .updateTable("manifest_scan")
    .set((row) => ({ state, reason, index_state: indexState, attempts: row("attempts", "+", 1), changed_at: now }))
    .where("manifest_id", "=", manifestId)
    .where("state", "=", "queued")
    .returning("manifest_id")
    .executeTakeFirst();
  if (stored !== undefined && state !== "scanned") await removeFindingCounts(db, manifestId);
  return stored !== undefined;
}

/** Deletes the counts of an image that could not be indexed. */
async function removeFindingCounts(db: RegistryDb, manifestId: string): Promise<void> {
  await db.deleteFrom("finding_count").where("manifest_id", "=", manifestId).execute();
}

/** An image with its repository, if its scan is queued. */
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

/** Deletes the scan of an image. */
export async function deleteScan(db: RegistryDb, manifestId: string): Promise<void> {
  await db.deleteFrom("manifest_scan").where("manifest_id", "=", manifestId).execute();
}

/** Stores the scan of an image. @returns false if there is one already */
export async function insertScan(db: RegistryDb, scan: NewRow<"manifest_scan">): Promise<boolean> {
  const added = await db
    .insertInto("manifest_scan")
    .values(scan)
    .onConflict((conflict) => conflict.doNothing())
    .returning("manifest_id")
    .executeTakeFirst();
  return added !== undefined;
}

/** The scan of an image, as it was read. */
export type Scan = Pick<Selectable<ManifestScanTable>, "manifest_id" | "state" | "changed_at">;

/** The waiting scans that have not changed since an instant, the longest waiting first. */
export function listWaitingScans(db: RegistryDb, before: number): Promise<readonly Scan[]> {
  return db
    .selectFrom("manifest_scan")
    .select(["manifest_id", "state", "changed_at"])
    .where("state", "=", sql.lit("queued" as const)) // the condition of the partial index
    .where("changed_at", "<", before)
    .orderBy("changed_at")
    .limit(pageLength)
    .execute();
}

/** The scans that ended until an instant. */
function findEnded(db: RegistryDb, until: number) {
  return db
    .selectFrom("manifest_scan")
    .select(["manifest_id", "state", "changed_at"])
    .where("state", "!=", sql.lit("queued" as const)) // the condition of the partial index
    .where("changed_at", "<=", until)
    .limit(pageLength);
}

/** The scans that ended until an instant without having indexed the image. */
export function listNeverIndexed(db: RegistryDb, until: number): Promise<readonly Scan[]> {
  return findEnded(db, until).where("index_state", "is", null).execute();
}

/** The scans that ended until an instant with a scanner state that sorts before `state`. */
export function listIndexedBefore(db: RegistryDb, until: number, state: string): Promise<readonly Scan[]> {
  return findEnded(db, until).where("index_state", "<", state).execute();
}

/** The scans that ended until an instant with a scanner state that sorts after `state`. */
export function listIndexedAfter(db: RegistryDb, until: number, state: string): Promise<readonly Scan[]> {
  return findEnded(db, until).where("index_state", ">", state).execute();
}

/** Marks a scan as queued again. @returns false if the scan has changed since it was read */
export async function markQueued(db: RegistryDb, scan: Scan, now: number): Promise<boolean> {
  const marked = await db
    .updateTable("manifest_scan")
    .set({ state: "queued", reason: null, changed_at: now })
    .where("manifest_id", "=", scan.manifest_id)
    .where("state", "=", scan.state)
    .where("changed_at", "=", scan.changed_at)
    .returning("manifest_id")
    .executeTakeFirst();
  return marked !== undefined;
}

/** The namespace of an image manifest; undefined if there is no such manifest. */
export async function findNamespaceOf(db: RegistryDb, manifestId: string): Promise<string | undefined> {
  const row = await db
    .selectFrom("image_manifest")
    .innerJoin("image_repository", "image_repository.id", "image_manifest.repository_id")
    .select("image_repository.namespace_id")
    .where("image_manifest.id", "=", manifestId)
    .executeTakeFirst();
  return row?.namespace_id;
}

/** Stores the kind of a manifest that was found later than its push. */
export async function storeKind(db: RegistryDb, id: string, kind: ManifestKind): Promise<void> {
  await db.updateTable("image_manifest").set({ kind }).where("id", "=", id).execute();
}
