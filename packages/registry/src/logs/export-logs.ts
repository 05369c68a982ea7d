import { createHash, randomUUID } from "node:crypto";
import { parseDigest } from "@plimsoll/core/digest";
import type { JobAttempt } from "@plimsoll/store";
import { hashSecret } from "../crypto/secrets.ts";
import type { Deps } from "../deps.ts";
import { queueMail } from "../mail/jobs.ts";
import { noMailer } from "../ports.ts";
import type { RegistrySettings } from "../settings.ts";
import { writeUsageLog } from "../store/usage-log.ts";
import {
  deleteLogExport,
  findLogExport,
  findLogNames,
  insertLogExport,
  listExpiredExports,
  updateLogExport,
} from "./queries/log-exports.ts";
import { type LogPosition, type LogRow, listLogRows } from "./queries/usage-log.ts";

/** What exports need. */
export interface LogExportDeps
  extends Pick<Deps, "store" | "blobs" | "clock" | "outgoing" | "mailer" | "secrets" | "pageAddress"> {
  readonly settings: Pick<RegistrySettings, "title">;
  /** An entry as clients see it, which JSON can write: files of exported logs have the same. */
  readonly viewLogEntry: (row: LogRow) => object;
}

/** A requested export. */
export interface WantedLog {
  readonly exportId: string;
  readonly namespaceId: string | null;
  readonly repositoryId: string | null;
  /** Epoch milliseconds, as `endAt`, which is not included. */
  readonly startAt: number;
  readonly endAt: number;
  readonly url: string | null;
  readonly email: string | null;
}

/** How long a link to an exported log is valid. */
export const linkSeconds = 3600;

/** The time after which the files of an unfinished export are removed. */
export const exportPatienceMs = 86_400_000;

const entriesPerPage = 1000;
const maxExportBytes = 20 * 1024 ** 3;
const callbackMs = 30_000;

/**
 * Writes a usage log as a file into the blob store, and sends its link to a callback, which must answer 200, and to an e-mail
 * address.
 * @throws Error if the callback did not answer 200; the next attempt does not write the file again
 */
export async function exportLogs(attempt: JobAttempt<WantedLog>, deps: LogExportDeps): Promise<void> {
  const { payload: wanted, signal } = attempt;
  const { store, clock } = deps;
  const now = clock.now();
  const created = { id: wanted.exportId, created_at: now, expires_at: now + exportPatienceMs };
  await insertLogExport(store.db, { ...created, file_hash: null, digest: null, size_bytes: null });
  if (!(await isWritten(deps, wanted.exportId))) await writeFile(deps, wanted, signal);
  const file = `${wanted.exportId}-${randomUUID()}`;
  const valid = { file_hash: hashSecret(file), expires_at: clock.now() + 1000 * linkSeconds };
  await updateLogExport(store.db, wanted.exportId, valid);
  await reportResult(attempt, deps, deps.pageAddress({ kind: "exported-log", file }));
}

/** Reports to the requester that an export has failed permanently. */
export async function mailExportFailure(attempt: JobAttempt<WantedLog>, deps: LogExportDeps): Promise<void> {
  await reportResult(attempt, deps, undefined);
}

/** Whether the file is in the blob store. Its digest is stored before it, so that an interrupted export can be removed. */
async function isWritten({ store, blobs }: LogExportDeps, exportId: string): Promise<boolean> {
  const known = await findLogExport(store.db, exportId);
  return known?.digest != null && (await blobs.find(parseDigest(known.digest))) !== undefined;
}

async function writeFile(deps: LogExportDeps, wanted: WantedLog, signal: AbortSignal): Promise<void> {
  const { blobs, store } = deps;
  const { exportId } = wanted;
  await blobs.deleteUpload(exportId);
  const hash = createHash("sha256");
  const bytes = hashed(exportedLog(deps, wanted, signal), hash);
  const size_bytes = await blobs.append(exportId, bytes, { offset: 0, maxBytes: maxExportBytes });
  const digest = `sha256:${hash.digest("hex")}`;
  await updateLogExport(store.db, exportId, { digest, size_bytes });
  await blobs.commit(exportId, parseDigest(digest));
  await blobs.deleteUpload(exportId);
}

async function* hashed(texts: AsyncIterable<string>, hash: ReturnType<typeof createHash>): AsyncGenerator<Uint8Array> {
  for await (const text of texts) {
    const bytes = Buffer.from(text);
    hash.update(bytes);
    yield bytes;
  }
}

/** The document, a page of entries at a time, the newest first. */
async function* exportedLog(
  { store, viewLogEntry }: LogExportDeps,
  wanted: WantedLog,
  signal: AbortSignal,
): AsyncGenerator<string> {
  const { exportId, namespaceId, repositoryId, startAt, endAt } = wanted;
  const details = { ...times(wanted), ...(await findLogNames(store.db, wanted)) };
  yield `{"export_id":${JSON.stringify(exportId)},"details":${JSON.stringify(details)},"logs":[`;
  const owner = {
    namespaceId: namespaceId !== null && repositoryId === null ? namespaceId : undefined,
    repositoryId: repositoryId ?? undefined,
  };
  let place: LogPosition = {};
  for (;;) {
    signal.throwIfAborted();
    const rows = await listLogRows(store.db, { startAt, endAt, ...owner }, { ...place, limit: entriesPerPage });
    const last = rows.at(-1);
    if (last === undefined) break;
    yield rows.map((row) => `${JSON.stringify(viewLogEntry(row))},`).join("");
    place = { after: [last.at, last.id] };
  }
  yield '{"terminator":true}]}';
}

/** Sends the result of an export, and finishes its job. @param link undefined if the export has failed permanently */
async function reportResult(
  attempt: JobAttempt<WantedLog>,
  deps: LogExportDeps,
  link: string | undefined,
): Promise<void> {
  const { payload: wanted, signal, finishIn } = attempt;
  const { store, mailer, settings, clock, secrets } = deps;
  const status = link === undefined ? "failed" : "success";
  const isAnswered = await callBack(deps, wanted, { status, link, signal });
  if (!isAnswered && link !== undefined) throw new Error("the callback of a log export did not answer 200");
  await store.transaction(async (db) => {
    if (wanted.email !== null && mailer !== noMailer) {
      const mail = { to: wanted.email, ...mailOf(wanted, settings.title, link) };
      await queueMail({ db, secrets, clock }, mail);
    }
    if (link === undefined) {
      await writeUsageLog(db, {
        kind: "export_logs_failure",
        metadata: { export_id: wanted.exportId, error: "the export has failed", url: wanted.url, email: wanted.email },
        namespaceId: wanted.namespaceId ?? undefined,
        repositoryId: wanted.repositoryId ?? undefined,
        principal: { kind: "anonymous" },
        at: clock.now(),
      });
    }
    await finishIn(db);
  });
}

interface ExportResult {
  readonly status: "success" | "failed";
  readonly link: string | undefined;
  readonly signal: AbortSignal;
}

/** @returns whether the callback answered 200, or there is no callback that may be called */
async function callBack(
  { store, outgoing }: LogExportDeps,
  wanted: WantedLog,
  { status, link, signal }: ExportResult,
): Promise<boolean> {
  const { url, exportId } = wanted;
  if (url === null) return true;
  const isPermitted = await outgoing.check(new URL(url).hostname).then(
    () => true,
    () => false,
  );
  if (!isPermitted) return true;
  const names = await findLogNames(store.db, wanted);
  const text = JSON.stringify({
    export_id: exportId,
    ...times(wanted),
    ...names,
    exported_data_url: link ?? null,
    status,
  });
  const within = AbortSignal.any([signal, AbortSignal.timeout(callbackMs)]);
  const receipt = await outgoing.deliver({ url, text }, { signal: within }).catch(() => undefined);
  return receipt?.kind === "done";
}

function mailOf({ exportId }: WantedLog, title: string, link: string | undefined) {
  const subject = "Export Action Logs Complete";
  if (link === undefined) return { subject, text: `${title}: the export ${exportId} of usage logs has failed.\n` };
  const text = `${title}: the export ${exportId} of usage logs is done.\n\n${link}\n\nThe link is valid for ${linkSeconds} seconds, and for one download.\n`;
  return { subject, text };
}

function times({ startAt, endAt }: WantedLog) {
  return { start_time: dateOf(startAt), end_time: dateOf(endAt) };
}

/** `MM/DD/YYYY`. */
function dateOf(at: number): string {
  const [year, month, day] = new Date(at).toISOString().slice(0, 10).split("-");
  return `${month}/${day}/${year}`;
}

/** Removes the files whose links have expired. */
export async function expireLogExports(
  { store, blobs, clock }: Pick<LogExportDeps, "store" | "blobs" | "clock">,
  signal: AbortSignal,
): Promise<void> {
  for (;;) {
    const expired = await listExpiredExports(store.db, clock.now());
    if (expired.length === 0) return;
    for (const { id, digest } of expired) {
      signal.throwIfAborted();
      await blobs.deleteUpload(id);
      if (digest !== null) await blobs.delete(parseDigest(digest));
      await deleteLogExport(store.db, id);
    }
  }
}
