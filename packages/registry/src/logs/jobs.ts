import { enqueueJob, job } from "@plimsoll/store";
import { Type } from "typebox";
import type { Deps } from "../deps.ts";
import { archiveLog, type LogArchiveDeps } from "./archive-log.ts";
import { expireLogExports, exportLogs, type LogExportDeps, mailExportFailure } from "./export-logs.ts";
import { countLogHours } from "./queries/usage-log.ts";

/** Adds the past hours of the usage log to its counts by day. Recurs. */
export const countLogJob = job({
  kind: "registry.count-log",
  key: () => "",
  priority: "bulk",
  handle: ({ signal }, { store, clock }: Pick<Deps, "store" | "clock">) => countLogHours(store, clock.now(), signal),
});

/** Moves old entries of the usage log into the blob store. Recurs. */
export const archiveLogJob = job({
  kind: "registry.archive-log",
  key: () => "",
  priority: "bulk",
  clusterConcurrency: 1,
  handle: ({ signal }, deps: LogArchiveDeps) => archiveLog(deps, signal),
});

const OptionalText = Type.Union([Type.String(), Type.Null()]);

const wantedLog = Type.Object({
  exportId: Type.String(),
  namespaceId: OptionalText,
  repositoryId: OptionalText,
  startAt: Type.Integer(),
  endAt: Type.Integer(),
  url: OptionalText,
  email: OptionalText,
});

/** Exports a log and sends the link to it. */
export const exportLogsJob = job({
  kind: "registry.export-logs",
  payload: wantedLog,
  tenant: ({ namespaceId }) => namespaceId ?? "",
  priority: "bulk",
  timeoutSeconds: 7200,
  maxAttempts: 3,
  staleAfterSeconds: 86_400,
  handle: (attempt, deps: LogExportDeps) => exportLogs(attempt, deps),
  async onGivenUp({ payload, db, now }) {
    await enqueueJob(db, mailExportFailureJob.of(payload), { now: () => now });
  },
});

/** Reports to the requester that an export has failed permanently. */
export const mailExportFailureJob = job({
  kind: "registry.mail-failed-export",
  payload: wantedLog,
  tenant: ({ namespaceId }) => namespaceId ?? "",
  handle: (attempt, deps: LogExportDeps) => mailExportFailure(attempt, deps),
});

/** Removes exported logs whose links have expired. Recurs. */
export const expireLogExportsJob = job({
  kind: "registry.expire-log-exports",
  key: () => "",
  priority: "bulk",
  handle: ({ signal }, deps: LogExportDeps) => expireLogExports(deps, signal),
});
