import { type Selectable, sql } from "kysely";
import type { RegistryDb } from "../../store/tables/all.ts";
import type { ManifestScanTable } from "../../store/tables/content.ts";

/** How many images are looked at in one statement. */
const pageLength = 100;

/** The scan of an image, as it was looked at. */
export type Scan = Pick<Selectable<ManifestScanTable>, "manifest_id" | "state" | "changed_at">;

/** The scans that wait and that no process has looked at since an instant, the longest first. */
export function findWaiting(db: RegistryDb, before: number): Promise<readonly Scan[]> {
  return db
    .selectFrom("manifest_scan")
    .select(["manifest_id", "state", "changed_at"])
    .where("state", "=", sql.lit("queued" as const)) // as their index says it
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
    .where("state", "!=", sql.lit("queued" as const)) // as their index says it
    .where("changed_at", "<=", until)
    .limit(pageLength);
}

/** The scans that ended until an instant without having read the image. */
export function findNeverRead(db: RegistryDb, until: number): Promise<readonly Scan[]> {
  return findEnded(db, until).where("index_state", "is", null).execute();
}

/** The scans that ended until an instant with a state of the scanner that sorts before another. */
export function findReadBefore(db: RegistryDb, until: number, state: string): Promise<readonly Scan[]> {
  return findEnded(db, until).where("index_state", "<", state).execute();
}

/** The scans that ended until an instant with a state of the scanner that sorts after another. */
export function findReadAfter(db: RegistryDb, until: number, state: string): Promise<readonly Scan[]> {
  return findEnded(db, until).where("index_state", ">", state).execute();
}

/** Marks a scan as queued again. @returns false where the scan has changed since it was looked at */
export async function markQueued(db: RegistryDb, scan: Scan, now: number): Promise<boolean> {
  const taken = await db
    .updateTable("manifest_scan")
    .set({ state: "queued", reason: null, changed_at: now })
    .where("manifest_id", "=", scan.manifest_id)
    .where("state", "=", scan.state)
    .where("changed_at", "=", scan.changed_at)
    .returning("manifest_id")
    .executeTakeFirst();
  return taken !== undefined;
}

/** The namespace of an image manifest; undefined where there is no such manifest. */
export async function findNamespaceOf(db: RegistryDb, manifestId: string): Promise<string | undefined> {
  const row = await db
    .selectFrom("image_manifest")
    .innerJoin("image_repository", "image_repository.id", "image_manifest.repository_id")
    .select("image_repository.namespace_id")
    .where("image_manifest.id", "=", manifestId)
    .executeTakeFirst();
  return row?.namespace_id;
}
