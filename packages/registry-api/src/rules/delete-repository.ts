import { cancelJob, enqueueJob } from "@plimsoll/store";
import type { Clock } from "../ports.ts";
import type { ImageRepository } from "../store/image-repositories.ts";
import type { RegistryDb } from "../store/tables/all.ts";
import { runBuildJob } from "./builds.ts";
import { withdrawSync } from "./mirror-runs.ts";

/** The job that collects what a deleted repository held, and then the repository; its payload is `{ repositoryId }`. */
export const collectRepositoryJob = "registry.collect-repository";

/**
 * Takes a repository away: nobody sees it any more, its name is free, its mirror's robot too, builds and runs of the mirror that
 * wait never begin, and a job collects what it held. Belongs into a transaction.
 */
export async function deleteRepository(db: RegistryDb, { id }: ImageRepository, clock: Clock): Promise<void> {
  await db.deleteFrom("repository_star").where("repository_id", "=", id).execute();
  await db.deleteFrom("repository_mirror").where("repository_id", "=", id).execute();
  await withdrawSync(db, id);
  await cancelWaitingBuilds(db, id);
  await db
    .updateTable("image_repository")
    .set({ name: id, state: "deleted", deleted_at: clock.now() })
    .where("id", "=", id)
    .execute();
  const kind = collectRepositoryJob;
  await enqueueJob(db, { kind, uniqueKey: `${kind}:${id}`, payload: { repositoryId: id } }, clock);
}

async function cancelWaitingBuilds(db: RegistryDb, repositoryId: string): Promise<void> {
  const builds = await db
    .updateTable("build")
    .set({ phase: "cancelled" })
    .where("repository_id", "=", repositoryId)
    .where("phase", "=", "waiting")
    .returning("id")
    .execute();
  for (const { id } of builds) await cancelJob(db, `${runBuildJob}:${id}`);
}
