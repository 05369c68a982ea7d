import type { Selectable } from "kysely";
import type { CreationKey, ReadFrom } from "../../lists/list-pages.ts";
import type { GlobalMessageTable } from "../../store/tables/administration.ts";
import type { NewRow, RegistryDb } from "../../store/tables/all.ts";

/** A message as it is stored. */
export type GlobalMessageRow = Selectable<GlobalMessageTable>;

/** Some messages, the oldest first. */
export async function listGlobalMessages(
  db: RegistryDb,
  { after, limit }: ReadFrom<CreationKey>,
): Promise<readonly GlobalMessageRow[]> {
  return db
    .selectFrom("global_message")
    .selectAll()
    .where(({ eb, refTuple, tuple }) => eb(refTuple("created_at", "id"), ">", tuple(...after)))
    .orderBy("created_at")
    .orderBy("id")
    .limit(limit)
    .execute();
}

/** Stores a message. */
export async function insertGlobalMessage(db: RegistryDb, message: NewRow<"global_message">): Promise<void> {
  await db.insertInto("global_message").values(message).execute();
}

/** Deletes a message. @returns false if there is none */
export async function removeGlobalMessage(db: RegistryDb, id: string): Promise<boolean> {
  const { numDeletedRows } = await db.deleteFrom("global_message").where("id", "=", id).executeTakeFirst();
  return numDeletedRows > 0n;
}
