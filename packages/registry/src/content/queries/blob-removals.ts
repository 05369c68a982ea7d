import type { RegistryDb } from "../../store/tables/all.ts";

/** How many removals are read at once. */
const pageLength = 500;

/** Records that the file of a blob is going to be deleted. */
export async function insertRemoval(db: RegistryDb, digest: string): Promise<void> {
  await db
    .insertInto("blob_removal")
    .values({ digest })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}

/** Whether the file of a blob is going to be deleted. */
export async function hasRemoval(db: RegistryDb, digest: string): Promise<boolean> {
  const removal = await db.selectFrom("blob_removal").select("digest").where("digest", "=", digest).executeTakeFirst();
  return removal !== undefined;
}

/** A page of the removals that have begun, ordered by digest. */
export function listRemovals(db: RegistryDb, after: string) {
  return db
    .selectFrom("blob_removal")
    .select("digest")
    .where("digest", ">", after)
    .orderBy("digest")
    .limit(pageLength)
    .execute();
}

/** Deletes the record of a removal after the file is deleted. */
export async function deleteRemoval(db: RegistryDb, digest: string): Promise<void> {
  await db.deleteFrom("blob_removal").where("digest", "=", digest).execute();
}
