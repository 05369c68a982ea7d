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

/** Those that came to an end until an instant. */
function findEnded(db: RegistryDb, until: number) {
  return db
    .selectFrom("manifest_scan")
    .select(["manifest_id", "state", "changed_at"])
    .where("state", "!=", sql.lit("queued" as const)) // as their index says it
    .where("changed_at", "<=", until)
    .limit(pageLength);
}

/** Those that came to an end until an instant without having been read. */
export function findNeverRead(db: RegistryDb, until: number): Promise<readonly Scan[]> {
  return findEnded(db, until).where("index_state", "is", null).execute();
}

/** Those that were read until an instant in a state of the scanner that sorts before another. */
export function findReadBefore(db: RegistryDb, until: number, state: string): Promise<readonly Scan[]> {
  return findEnded(db, until).where("index_state", "<", state).execute();
}

/** Those that were read until an instant in a state of the scanner that sorts after another. */
export function findReadAfter(db: RegistryDb, until: number, state: string): Promise<readonly Scan[]> {
  return findEnded(db, until).where("index_state", ">", state).execute();
}

/** Has an image read again. @returns false where its scan has changed since it was looked at */
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
