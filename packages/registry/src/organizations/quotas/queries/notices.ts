import type { NewRow, RegistryDb, Row } from "../../../store/tables/all.ts";

/** Deletes the notices of limits that the used bytes no longer reach. */
export async function withdrawQuotaNotices(db: RegistryDb, namespaceId: string, sizeBytes: number): Promise<void> {
  await db
    .deleteFrom("user_notification")
    .where("about_id", "=", namespaceId)
    .where("from_bytes", ">", sizeBytes)
    .execute();
}

/** Stores warnings, except those that an account has already. @returns whether one is new */
export async function insertNotices(db: RegistryDb, notices: readonly NewRow<"user_notification">[]): Promise<boolean> {
  const stored = await db
    .insertInto("user_notification")
    .values(notices)
    .onConflict((conflict) => conflict.doNothing())
    .returning("id")
    .execute();
  return stored.length > 0;
}

/** Whether any account has a warning of a kind about a namespace. */
export async function hasNotices(
  db: RegistryDb,
  namespaceId: string,
  kind: Row<"user_notification">["kind"],
): Promise<boolean> {
  const notices = db.selectFrom("user_notification").select("id").where("about_id", "=", namespaceId);
  return (await notices.where("kind", "=", kind).limit(1).executeTakeFirst()) !== undefined;
}

/** Deletes the warnings of some kinds about a namespace. */
export async function deleteNotices(
  db: RegistryDb,
  namespaceId: string,
  some: readonly Row<"user_notification">["kind"][],
): Promise<void> {
  await db.deleteFrom("user_notification").where("about_id", "=", namespaceId).where("kind", "in", some).execute();
}
