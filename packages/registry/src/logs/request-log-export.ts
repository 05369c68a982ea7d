import { randomUUID } from "node:crypto";
import { enqueueJob } from "@plimsoll/store";
import type { CallContext } from "../context.ts";
import { invalidRequest, RegistryError } from "../errors.ts";
import { checkCallbackUrl } from "../events/notification-methods.ts";
import { exportLogsJob } from "./jobs.ts";
import { checkSpan, type LogOwner, logSpan } from "./log-span.ts";

/** The receivers of the link to the exported log. */
export interface ExportReceivers {
  readonly callback_url?: string;
  readonly callback_email?: string;
}

/** The fields of a request: a span of time, and the receivers. */
export interface LogExportRequest extends ExportReceivers {
  readonly starttime?: string;
  readonly endtime?: string;
}

/** The namespace and repository whose log is exported. */
export type ExportedLog = LogOwner & { readonly repositoryName?: string };

/**
 * Checks a request for an export. Writes nothing, except a log entry for a span that is refused.
 * @throws RegistryError `invalid_request`, also for a callback address that is not allowed
 */
export async function checkLogExport(
  context: CallContext<"export_logs_failure">,
  log: ExportedLog,
  request: LogExportRequest,
) {
  const { callback_url: url, callback_email: email } = request;
  if (email !== undefined && !/^[^@\s]+@[^@\s]+$/.test(email)) throw invalidRequest("Invalid callback e-mail");
  if (url !== undefined) await checkCallbackUrl(context, "callback URL", url);
  try {
    checkSpan(logSpan(request, context.now));
  } catch (error) {
    if (!(error instanceof RegistryError)) throw error;
    await context.log("export_logs_failure", { error: error.message, ...describe(log, request) });
    throw error;
  }
}

/** Queues the export of a log. @returns its id */
export async function requestLogExport(
  { db, now, log: enter, clock }: CallContext<"export_logs_success">,
  log: ExportedLog,
  request: LogExportRequest,
): Promise<{ readonly export_id: string }> {
  const { callback_url: url = null, callback_email: email = null } = request;
  const { namespaceId = null, repositoryId = null } = log;
  const span = logSpan(request, now);
  const exportId = randomUUID();
  const payload = { exportId, namespaceId, repositoryId, ...span, url, email };
  await enqueueJob(db, exportLogsJob.of(payload), clock);
  await enter("export_logs_success", {
    export_id: exportId,
    message: "queued for export",
    ...describe(log, request),
  });
  return { export_id: exportId };
}

function describe({ repositoryName }: ExportedLog, { callback_url, callback_email }: ExportReceivers) {
  const repo = repositoryName === undefined ? {} : { repo: repositoryName };
  return { url: callback_url ?? null, email: callback_email ?? null, ...repo };
}
