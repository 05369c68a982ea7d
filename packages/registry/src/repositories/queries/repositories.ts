import type { ReadFrom } from "../../lists/read-from.ts";
import type { NewRow, RegistryDb, Row, RowChanges } from "../../store/tables/all.ts";

/** Some ids of repositories, in order. */
export async function listRepositoryIds(
  db: RegistryDb,
  { after, limit }: ReadFrom<string>,
): Promise<readonly string[]> {
  const page = await db
    .selectFrom("image_repository")
    .select("id")
    .where("id", ">", after)
    .orderBy("id")
    .limit(limit)
    .execute();
  return page.map(({ id }) => id);
}

/** Stores a repository. @returns false if its namespace has a repository of that name */
export async function insertRepository(db: RegistryDb, repository: NewRow<"image_repository">): Promise<boolean> {
  const inserted = await db
    .insertInto("image_repository")
    .values(repository)
    .onConflict((conflict) => conflict.columns(["namespace_id", "name"]).doNothing())
    .returning("id")
    .executeTakeFirst();
  return inserted !== undefined;
}

/** Changes a repository. */
export async function updateRepository(
  db: RegistryDb,
  id: string,
  changes: RowChanges<"image_repository">,
): Promise<void> {
  await db.updateTable("image_repository").set(changes).where("id", "=", id).execute();
}

/** Sets the state of a repository, unless it is deleted. */
export async function setRepositoryState(
  db: RegistryDb,
  id: string,
  state: Exclude<Row<"image_repository">["state"], "deleted">,
): Promise<void> {
  const update = db.updateTable("image_repository").set({ state }).where("id", "=", id);
  await update.where("state", "!=", "deleted").execute();
}
