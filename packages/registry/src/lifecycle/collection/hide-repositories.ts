import { cancelJob, jobKeyOf } from "@plimsoll/store";
import { runBuildJob } from "../../builds/jobs.ts";
import type { RegistryDb } from "../../store/tables/all.ts";
import { syncMirrorKind } from "../../values/job-kinds.ts";
import { cancelUnfinishedBuilds, markRepositoriesDeleted, removeMirrors, removeStars } from "./queries/deleted.ts";

/**
 * Hides repositories until they are collected. No caller sees them any more; their names and the robots of their mirrors are free.
 * Builds are cancelled, and waiting runs of mirrors are withdrawn. Must run in a transaction, for a few hundred repositories at most.
 */
export async function hideRepositories(db: RegistryDb, ids: readonly string[], now: number): Promise<void> {
  if (ids.length === 0) return;
  await removeStars(db, ids);
  const mirrors = await removeMirrors(db, ids);
  for (const { repository_id } of mirrors) await cancelJob(db, jobKeyOf(syncMirrorKind, repository_id));
  const builds = await cancelUnfinishedBuilds(db, ids);
  for (const { id } of builds) await cancelJob(db, runBuildJob.keyOf({ buildId: id }));
  await markRepositoriesDeleted(db, ids, now);
}
