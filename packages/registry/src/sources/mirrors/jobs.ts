import { enqueueJob, job, type Schedule } from "@plimsoll/store";
import { Type } from "typebox";
import type { RegistryTables } from "../../store/tables/all.ts";
import { syncMirrorKind } from "../../values/job-kinds.ts";
import { namespaceTenant, ofNamespace } from "../../values/names.ts";
import type { SyncDeps } from "./copy-tags.ts";
import { endCancelledRun, nextTurn } from "./emit-run-event.ts";
import { mirrorRetries } from "./mirrors.ts";
import { listDueMirrors, listSkippedTurns, moveTurn } from "./queries.ts";
import { syncMirror } from "./sync-mirror.ts";

/** Synchronizes one mirror. A run whose process ended is resumed by another process. */
export const syncMirrorJob = job({
  kind: syncMirrorKind,
  payload: Type.Object({ repositoryId: Type.String(), ...ofNamespace }),
  key: ({ repositoryId }) => repositoryId,
  tenant: namespaceTenant,
  priority: "bulk",
  timeoutSeconds: 43_200,
  staleAfterSeconds: 86_400,
  handle: (attempt, deps: SyncDeps) => syncMirror(attempt, deps),
  onCancelled: ({ payload, db, now }) => endCancelledRun(db, payload.repositoryId, now),
});

/**
 * Queues the runs that are due by the rows of their mirrors, within a minute after a row changes. Runs in the state `SYNCING` are queued
 * too: this has no effect while their job is in the queue, and restores a job that was lost.
 */
export const mirrorSchedule: Schedule<RegistryTables> = {
  kind: syncMirrorJob.kind,
  async follow(db, clock) {
    const now = clock.now();
    for (const mirror of await listSkippedTurns(db, now)) {
      await moveTurn(db, mirror, { sync_start_at: nextTurn(mirror, now), sync_retries: mirrorRetries });
    }
    for (const due of await listDueMirrors(db, now)) await enqueueJob(db, syncMirrorJob.of(due), clock);
  },
};
