import { unfinished } from "../../../builds/queries.ts";
import type { RegistryDb } from "../../../store/tables/all.ts";

/** Deletes the stars of repositories. */
export async function removeStars(db: RegistryDb, repositoryIds: readonly string[]): Promise<void> {
  await db.deleteFrom("repository_star").where("repository_id", "in", repositoryIds).execute();
}

/** Deletes the mirrors of repositories, and returns them. */
export function removeMirrors(db: RegistryDb, repositoryIds: readonly string[]) {
  return db
    .deleteFrom("repository_mirror")
    .where("repository_id", "in", repositoryIds)
    .returning("repository_id")
    .execute();
}

/** Cancels the builds of repositories that wait or run, and returns them. */
export function cancelUnfinishedBuilds(db: RegistryDb, repositoryIds: readonly string[]) {
  return db
    .updateTable("build")
    .set({ phase: "cancelled", token_hash: null })
    .where("repository_id", "in", repositoryIds)
    .where("phase", "in", unfinished)
    .returning("id")
    .execute();
}

/** Marks repositories as deleted; their names are free. */
export async function markRepositoriesDeleted(db: RegistryDb, ids: readonly string[], now: number): Promise<void> {
  await db
    .updateTable("image_repository")
    .set((eb) => ({ name: eb.ref("id"), state: "deleted", deleted_at: now }))
    .where("id", "in", ids)
    .where("state", "!=", "deleted")
    .execute();
}
