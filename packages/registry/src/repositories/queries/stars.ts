import type { NewRow, RegistryDb } from "../../store/tables/all.ts";

/** Stores a star, unless it is stored already. */
export async function insertStar(db: RegistryDb, row: NewRow<"repository_star">): Promise<void> {
  await db
    .insertInto("repository_star")
    .values(row)
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}

/** Deletes a star. @returns false if there is none */
export async function deleteStar(
  db: RegistryDb,
  row: { readonly accountId: string; readonly repositoryId: string },
): Promise<boolean> {
  const { numDeletedRows } = await db
    .deleteFrom("repository_star")
    .where("account_id", "=", row.accountId)
    .where("repository_id", "=", row.repositoryId)
    .executeTakeFirst();
  return numDeletedRows > 0n;
}
