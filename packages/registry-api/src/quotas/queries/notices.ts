import type { NewRow, RegistryDb, Row } from "../../store/tables/all.ts";

/** Withdraws the notices that no longer hold now that fewer bytes are used. */
export async function withdrawQuotaNotices(db: RegistryDb, namespaceId: string, sizeBytes: number): Promise<void> {
  await db
    .deleteFrom("user_notification")
    .where("about_id", "=", namespaceId)
    .where("from_bytes", ">", sizeBytes)
    .execute();
}

/** Stores warnings; an account that has the same warning already keeps it as it is. */
export async function insertNotices(db: RegistryDb, notices: readonly NewRow<"user_notification">[]): Promise<void> {
  await db
    .insertInto("user_notification")
    .values(notices)
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}

/** Deletes the warnings of some kinds about a namespace. */
export async function deleteNotices(
  db: RegistryDb,
  namespaceId: string,
  some: readonly Row<"user_notification">["kind"][],
): Promise<void> {
  await db.deleteFrom("user_notification").where("about_id", "=", namespaceId).where("kind", "in", some).execute();
}
