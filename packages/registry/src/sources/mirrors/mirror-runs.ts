import { cancelJob, enqueueJob } from "@plimsoll/store";
import { findAccountById, type ImageRepository } from "../../access/queries.ts";
import type { CallContext } from "../../context.ts";
import { notFound } from "../../errors.ts";
import type { RegistryDb } from "../../store/tables/all.ts";
import { describeRun, emitRunEvent, endCancelledRun } from "./emit-run-event.ts";
import { syncMirrorJob } from "./jobs.ts";
import { getMirror, logMirrorChange } from "./mirrors.ts";
import { updateMirror } from "./queries.ts";

/** Queues a run of the mirror, to start as soon as possible. @throws RegistryError `not_found` without a mirror, or while it runs */
export async function syncNow(
  context: CallContext<"repo_mirror_config_changed">,
  repository: ImageRepository,
): Promise<void> {
  const mirror = await getMirror(context, repository);
  if (mirror.sync_state === "SYNCING") throw notFound("The mirror is being synchronized");
  await updateMirror(context.db, repository.id, {
    sync_state: "SYNC_NOW",
    sync_expires_at: null,
    sync_retries: Math.max(1, mirror.sync_retries),
  });
  const { id: repositoryId, namespace_id: namespaceId } = repository;
  await enqueueJob(context.db, syncMirrorJob.of({ repositoryId, namespaceId }), context.clock);
  await logMirrorChange(context, repository, ["sync_status", "SYNC_NOW"]);
}

/** Cancels the current or requested run; later ones come as planned. @throws RegistryError `not_found` */
export async function cancelSync(
  context: CallContext<"repo_mirror_config_changed">,
  repository: ImageRepository,
): Promise<void> {
  const mirror = await getMirror(context, repository);
  const { sync_state } = mirror;
  if (sync_state !== "SYNCING" && sync_state !== "SYNC_NOW") throw notFound("Nothing is being synchronized");
  await endCancelledRun(context.db, repository.id, context.now);
  await withdrawSync(context.db, repository);
  if (sync_state === "SYNCING") {
    const robot = await findAccountById(context.db, mirror.robot_id);
    const message = `${describeRun(mirror)} was cancelled`;
    const event = { kind: "repo_mirror_sync_failed", verb: "Cancelled", message } as const;
    await emitRunEvent(context, { repository, robot, now: context.now }, event);
  }
  await logMirrorChange(context, repository, ["sync_status", "SYNC_CANCEL"]);
}

/** Removes a waiting run from the queue. */
export async function withdrawSync(db: RegistryDb, { id: repositoryId }: Pick<ImageRepository, "id">): Promise<void> {
  await cancelJob(db, syncMirrorJob.keyOf({ repositoryId }));
}
