import { cancelJob, enqueueJob, outsideJob } from "@plimsoll/store";
import { Type } from "typebox";
import type { ImageRepository } from "../access/queries/image-repositories.ts";
import type { OperationContext } from "../context.ts";
import { notFound } from "../errors.ts";
import type { RegistryDb } from "../store/tables/all.ts";
import { namespaceTenant, ofNamespace } from "../values/namespace-tenant.ts";
import { waitingFeatures } from "../waiting-features.ts";
import { logMirrorChange } from "./mirror-changes.ts";
import { getMirror, mirrorRetries } from "./mirrors.ts";
import { type MirrorRow, updateMirror } from "./queries.ts";

/** The job that synchronizes one mirror. */
export const syncMirrorJob = outsideJob({
  kind: waitingFeatures.mirroring,
  payload: Type.Object({ repositoryId: Type.String(), ...ofNamespace }),
  key: ({ repositoryId }) => repositoryId,
  tenant: namespaceTenant,
  priority: "bulk",
});

/** Queues a run of the mirror as soon as possible. @throws RegistryError `not_found` without a mirror, or while it runs */
export async function syncNow(
  context: OperationContext<"repo_mirror_config_changed">,
  repository: ImageRepository,
): Promise<void> {
  const mirror = await getMirror(context, repository);
  if (mirror.sync_state === "SYNCING") throw notFound("The mirror is being synchronized");
  await setState(context, repository, {
    sync_state: "SYNC_NOW",
    sync_expires_at: null,
    sync_retries: Math.max(1, mirror.sync_retries),
  });
  const { id: repositoryId, namespace_id: namespaceId } = repository;
  await enqueueJob(context.db, syncMirrorJob.of({ repositoryId, namespaceId }), context.ports.clock);
  await logMirrorChange(context, repository, ["sync_status", "SYNC_NOW"]);
}

/** Cancels the current or requested run; later ones come as planned. @throws RegistryError `not_found` */
export async function cancelSync(
  context: OperationContext<"repo_mirror_config_changed">,
  repository: ImageRepository,
): Promise<void> {
  const mirror = await getMirror(context, repository);
  const { sync_state } = mirror;
  if (sync_state !== "SYNCING" && sync_state !== "SYNC_NOW") throw notFound("Nothing is being synchronized");
  await setState(context, repository, {
    sync_state: "CANCEL",
    sync_expires_at: null,
    sync_retries: mirrorRetries,
    sync_start_at: nextTurn(mirror, context.now),
  });
  await withdrawSync(context.db, repository.id);
  await logMirrorChange(context, repository, ["sync_status", "SYNC_CANCEL"]);
}

/** Removes a waiting run from the queue. */
export async function withdrawSync(db: RegistryDb, repositoryId: string): Promise<void> {
  await cancelJob(db, syncMirrorJob.keyOf({ repositoryId }));
}

/** When a mirror is due next: as planned, or a whole number of intervals later where that is past. */
function nextTurn({ sync_start_at: startAt, sync_interval_s }: MirrorRow, now: number): number | null {
  if (startAt === null || startAt > now) return startAt;
  const intervalMs = Math.max(1, sync_interval_s) * 1000;
  return startAt + (Math.floor((now - startAt) / intervalMs) + 1) * intervalMs;
}

async function setState({ db }: OperationContext, { id }: ImageRepository, state: Partial<MirrorRow>): Promise<void> {
  await updateMirror(db, id, state);
}
