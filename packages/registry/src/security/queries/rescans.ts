import { type Selectable, sql } from "kysely";
import type { RegistryDb } from "../../store/tables/all.ts";
import type { ManifestScanTable } from "../../store/tables/content.ts";

/** How many images one statement reads. */
const pageLength = 100;

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
