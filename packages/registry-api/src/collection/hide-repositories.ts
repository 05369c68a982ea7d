import { cancelJob } from "@plimsoll/store";
import { runBuildJob } from "../builds/builds.ts";
import { withdrawSync } from "../mirrors/mirror-runs.ts";
import type { RegistryDb } from "../store/tables/all.ts";

/**
 * Takes repositories away until they are collected: nobody sees them any more, their names are free, the robots of their mirrors
 * too, and builds and runs of the mirrors that wait never begin. Belongs into a transaction, and is for some hundred at most.
 */
export async function hideRepositories(db: RegistryDb, ids: readonly string[], now: number): Promise<void> {
  if (ids.length === 0) return;
  await db.deleteFrom("repository_star").where("repository_id", "in", ids).execute();
  const mirrors = db.deleteFrom("repository_mirror").where("repository_id", "in", ids).returning("repository_id");
  for (const { repository_id } of await mirrors.execute()) await withdrawSync(db, repository_id);
  const builds = db
    .updateTable("build")
    .set({ phase: "cancelled" })
    .where("repository_id", "in", ids)
    .where("phase", "=", "waiting")
    .returning("id");
  for (const { id } of await builds.execute()) await cancelJob(db, runBuildJob.keyOf({ buildId: id }));
  await db
    .updateTable("image_repository")
    .set((eb) => ({ name: eb.ref("id"), state: "deleted", deleted_at: now }))
    .where("id", "in", ids)
    .where("state", "!=", "deleted")
    .execute();
}
