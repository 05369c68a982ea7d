import { job } from "@plimsoll/store";
import { Type } from "typebox";
import { namespaceTenant, ofNamespace } from "../values/names.ts";
import { archiveBuildLogs, type BuildLogArchiveContext } from "./archive-logs.ts";
import { buildStaleSeconds } from "./build-request.ts";
import { giveUpBuild } from "./give-up-build.ts";
import { cancellablePhases, markCancelled } from "./queries.ts";
import { buildSeconds, type RunBuildContext, runBuild } from "./run-build.ts";

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
  handle: (attempt, context: RunBuildContext) => runBuild(attempt, context),
  async onCancelled({ payload, db }) {
    await markCancelled(db, { id: payload.buildId, phases: cancellablePhases });
  },
  onGivenUp: (job, context: RunBuildContext) => giveUpBuild(job, context),
});

/** Moves the logs of old builds into the blob store. Recurs. */
export const archiveBuildLogsJob = job({
  kind: "registry.archive-build-logs",
  key: () => "",
  priority: "bulk",
  clusterConcurrency: 1,
  handle: ({ signal }, context: BuildLogArchiveContext) => archiveBuildLogs(context, signal),
});
