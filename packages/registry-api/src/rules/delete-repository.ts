import { enqueueJob } from "@plimsoll/store";
import type { Clock } from "../ports.ts";
import type { ImageRepository } from "../store/image-repositories.ts";
import type { RegistryDb } from "../store/tables/all.ts";

/**
 * Takes a repository away: nobody sees it any more, its name is free, and a job collects what it held.
 * Belongs into a transaction.
 */
export async function deleteRepository(db: RegistryDb, { id }: ImageRepository, clock: Clock): Promise<void> {
  await db.deleteFrom("repository_star").where("repository_id", "=", id).execute();
  await db
    .updateTable("image_repository")
    .set({ name: id, state: "deleted", deleted_at: clock.now() })
    .where("id", "=", id)
    .execute();
  const kind = "registry.collect-repository";
  await enqueueJob(db, { kind, uniqueKey: `${kind}:${id}`, payload: { repositoryId: id } }, clock);
}
