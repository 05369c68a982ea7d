import { type GivenUpJob, job } from "@plimsoll/store";
import { Type } from "typebox";
import type { Deps } from "../deps.ts";
import { emitEvent } from "../events/emit-event.ts";
import { namespaceTenant, ofNamespace } from "../values/names.ts";
import { archiveBuildLogs } from "./archive-logs.ts";
import { buildEvent } from "./build-event.ts";
import { type BuildLogEntry, BuildLogWriter } from "./build-log.ts";
import { buildStaleSeconds } from "./build-request.ts";
import { cancellablePhases, endOfLog, endUnfinished, findBuild, markCancelled, readLogEntries } from "./queries.ts";
import { buildSeconds, type RunBuildDeps, runBuild } from "./run-build.ts";

/** Builds an image and pushes it. Cancelling the job kills the programs that it runs. */
export const runBuildJob = job({
  kind: "registry.run-build",
  payload: Type.Object({ buildId: Type.String(), ...ofNamespace }),
  key: ({ buildId }) => buildId,
  tenant: namespaceTenant,
  concurrency: 1,
  priority: "bulk",
  timeoutSeconds: buildSeconds,
  maxAttempts: 3,
  staleAfterSeconds: buildStaleSeconds,
  handle: (attempt, deps: RunBuildDeps) => runBuild(attempt, deps),
  async onCancelled({ payload, db }) {
    await markCancelled(db, { id: payload.buildId, phases: cancellablePhases });
  },
  onGivenUp: (job, deps: RunBuildDeps) => giveUpBuild(job, deps),
});

/** Moves the logs of old builds into the blob store. Recurs. */
export const archiveBuildLogsJob = job({
  kind: "registry.archive-build-logs",
  key: () => "",
  priority: "bulk",
  clusterConcurrency: 1,
  handle: ({ signal }, context: Pick<Deps, "store" | "blobs" | "clock">) => archiveBuildLogs(context, signal),
});

/**
 * Ends a build whose job is not retried: with `internalerror` if no attempt is left or its workers were lost repeatedly, with `expired`
 * if it waited for too long and no attempt began.
 */
async function giveUpBuild(
  { db, payload: { buildId }, error, now }: GivenUpJob<{ readonly buildId: string }>,
  { settings, clock, pageAddress }: Pick<RunBuildDeps, "settings" | "clock" | "pageAddress">,
): Promise<void> {
  const build = await findBuild(db, buildId);
  const position = await endOfLog(db, buildId);
  const phase = position === 0 ? "expired" : "internalerror";
  if (build === undefined || !(await endUnfinished(db, buildId, { phase, error }))) return;
  const [last = "{}"] = await readLogEntries(db, buildId, { start: Math.max(0, position - 1), limit: 1 });
  const isLogged = (JSON.parse(last) as Partial<BuildLogEntry>).message === error;
  const log = new BuildLogWriter(db, { buildId, clock: { now: () => now }, position });
  await log.add(...(isLogged ? [] : [{ type: "error", message: error } as const]), { type: "phase", message: phase });
  const repository = { id: build.repository_id, namespace: build.namespace, name: build.repository_name };
  const members = { ...buildEvent(build), error_message: error };
  await emitEvent({ db, settings, clock, pageAddress }, repository, { event: "build_failure", members });
}
