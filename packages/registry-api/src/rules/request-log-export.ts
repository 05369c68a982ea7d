import { randomUUID } from "node:crypto";
import { enqueueJob } from "@plimsoll/store";
import type { OperationContext } from "../context.ts";
import { invalidRequest } from "../errors.ts";
import { logSpan } from "./log-span.ts";
import type { LogOwner } from "./read-usage-log.ts";

/** Who is told where the exported log is. */
export interface ExportReceivers {
  readonly callback_url?: string;
  readonly callback_email?: string;
}

/** The job that exports a log. */
export const exportLogsJob = "registry.export-logs";

/** @throws RegistryError `invalid_request` for an address that may not be called or written to */
export async function checkExportReceivers(context: OperationContext, receivers: ExportReceivers): Promise<void> {
  const { callback_url: url, callback_email: email } = receivers;
  if (email !== undefined && !email.includes("@")) throw invalidRequest("Invalid callback e-mail");
  if (url === undefined) return;
  const parsed = URL.canParse(url) ? new URL(url) : undefined;
  if (parsed === undefined || !["http:", "https:"].includes(parsed.protocol))
    throw invalidRequest("Invalid callback URL");
  await context.ports.outgoing.check(parsed.hostname);
}

/** Puts the export of a log in the queue. @returns its id */
export async function requestLogExport(
  context: OperationContext,
  owner: LogOwner & { readonly repositoryName?: string },
  question: ExportReceivers & { readonly starttime?: string; readonly endtime?: string },
): Promise<{ readonly export_id: string }> {
  const { db, now, log, ports } = context;
  const { callback_url: url = null, callback_email: email = null } = question;
  const { namespaceId = null, repositoryId = null, repositoryName } = owner;
  const span = logSpan(question.starttime, question.endtime, now);
  const exportId = randomUUID();
  const payload = { exportId, namespaceId, repositoryId, ...span, url, email };
  await enqueueJob(db, { kind: exportLogsJob, payload, maxAttempts: 3 }, ports.clock);
  await log("export_logs_success", {
    export_id: exportId,
    message: "queued for export",
    url,
    email,
    ...(repositoryName !== undefined && { repo: repositoryName }),
  });
  return { export_id: exportId };
}
