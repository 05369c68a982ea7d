import { withoutUndefined } from "@plimsoll/core/internal";
import { safeText } from "@plimsoll/core/internal/safe-text";
import { kindsWithRows } from "@plimsoll/registry-api";
import {
  cancelJobById,
  deleteDeadJob,
  enqueueJob,
  findJob,
  type Job,
  type JobState,
  jobRefusals,
  jobStates,
  listJobs,
  openStore,
  retryDeadJob,
  type Store,
} from "@plimsoll/store";
import { type ExitCode, exitCodes } from "../cli/exit-code.ts";
import type { CliIo } from "../cli/io.ts";
import { readServiceSettings, type ServiceFlags } from "../config/resolve-service-settings.ts";
import { wrongValue } from "../config/wrong-value.ts";
import { type Column, layOutTable } from "../render/table.ts";
import { cancelledJobOf, reportCancelledJob } from "../serve/start-jobs.ts";

/** The flags of `jobs show`. */
export interface ShowJobsFlags {
  readonly json?: true;
}

/** The flags of `jobs list`. */
export interface ListJobsFlags extends ShowJobsFlags {
  readonly kind?: string;
  readonly state?: string;
  readonly limit?: string;
}

/** An action on a job. */
export type JobAction = keyof typeof jobRefusals;

const usualLimit = 100;
const maxListed = 10_000;

/** `plimsoll jobs list`: lists the jobs of an installation, filtered by kind and state. */
export async function jobsList(
  io: CliIo,
  flags: ServiceFlags,
  { json, kind, state, limit }: ListJobsFlags,
): Promise<ExitCode> {
  const query = { kind, ...stateOf(state), limit: limitOf(limit) };
  await using store = await openToRead(io, flags);
  const jobs = await listJobs(store.db, query);
  if (json) io.stdout.write(`${JSON.stringify(jobs.map(jsonOf), undefined, 2)}\n`);
  else for (const line of layOutTable(columns, jobs, io.stdout.columns)) io.stdout.write(`${line}\n`);
  return exitCodes.ok;
}

/** `plimsoll jobs show ID`: shows a job with its payload. */
export async function jobsShow(
  io: CliIo,
  flags: ServiceFlags,
  { id, json }: ShowJobsFlags & { readonly id: string },
): Promise<ExitCode> {
  await using store = await openToRead(io, flags);
  const job = await findJob(store.db, id);
  if (job === undefined) return refuse(io, id, "there is no such job");
  const shown = { ...jsonOf(job), payload: job.payload };
  if (json) io.stdout.write(`${JSON.stringify(shown, undefined, 2)}\n`);
  else
    for (const [name, value] of Object.entries(withoutUndefined(shown))) io.stdout.write(`${name}: ${textOf(value)}\n`);
  return exitCodes.ok;
}

/** `plimsoll jobs retry|cancel|delete ID…`: names each job whose state does not allow the action, and continues with the others. */
export async function jobsAct(
  io: CliIo,
  flags: ServiceFlags,
  { action, ids }: { readonly action: JobAction; readonly ids: readonly string[] },
): Promise<ExitCode> {
  const { database } = await readServiceSettings(flags, io);
  await (await openToRead(io, flags)).close(); // fails for a missing database, which the next line would create
  await using store = await openStore<unknown>(database, { migrations: [] });
  let code: ExitCode = exitCodes.ok;
  for (const id of ids) {
    const job = await findJob(store.db, id);
    const isDone = job !== undefined && (await acts[action](store, job, io));
    if (isDone) io.stdout.write(`${done[action]} ${job.kind} ${id}\n`);
    else code = refuse(io, id, job === undefined ? "there is no such job" : jobRefusals[action](job));
  }
  return code;
}

const done = { retry: "retried", cancel: "cancelled", delete: "deleted" } as const;

const acts: Readonly<Record<JobAction, (store: Store<unknown>, job: Job, io: CliIo) => Promise<boolean>>> = {
  retry: (store, { id }, io) => retryDeadJob(store.db, id, { now: () => io.now() }),
  cancel: (store, job, io) => {
    const clock = { now: () => io.now() };
    return store.transaction(async (db) => {
      const isCancelled = await cancelJobById(db, job.id, { clock, kinds: kindsWithRows });
      const isSilent = job.state === "waiting" && job.everyMs === undefined;
      if (isCancelled && isSilent) await enqueueJob(db, reportCancelledJob.of(cancelledJobOf(job)), clock);
      return isCancelled;
    });
  },
  delete: (store, { id }) => deleteDeadJob(store.db, id),
};

function refuse(io: CliIo, id: string, reason: string): ExitCode {
  io.stderr.write(`${safeText(id)}: ${reason}\n`);
  return exitCodes.scan;
}

async function openToRead(io: CliIo, flags: ServiceFlags): Promise<Store<unknown>> {
  const { database } = await readServiceSettings(flags, io);
  return openStore<unknown>(database, { migrations: [], readOnly: true });
}

function stateOf(state: string | undefined): { readonly state?: JobState } {
  if (state === undefined) return {};
  const known = jobStates.find((each) => each === state);
  if (known === undefined) throw wrongValue({ place: "--state", expected: jobStates.join(", "), found: state });
  return { state: known };
}

function limitOf(limit = `${usualLimit}`): number {
  if (/^\d{1,5}$/.test(limit) && Number(limit) >= 1 && Number(limit) <= maxListed) return Number(limit);
  throw wrongValue({ place: "--limit", expected: `a number from 1 to ${maxListed}`, found: limit });
}

/** A job without its payload, with instants in ISO 8601. */
function jsonOf({ payload: _, dueAt, createdAt, startedAt, expiresAt, ...job }: Job) {
  return {
    ...job,
    dueAt: instant(dueAt),
    createdAt: instant(createdAt),
    startedAt: startedAt === undefined ? undefined : instant(startedAt),
    expiresAt: expiresAt === undefined ? undefined : instant(expiresAt),
  };
}

function instant(at: number): string {
  return new Date(at).toISOString();
}

function textOf(value: unknown): string {
  return safeText(typeof value === "string" ? value : JSON.stringify(value));
}

const columns: readonly Column<Job>[] = [
  { title: "ID", text: ({ id }) => id },
  { title: "KIND", text: ({ kind }) => safeText(kind), least: 12 },
  { title: "STATE", text: ({ state }) => state },
  { title: "ATTEMPT", text: ({ attempts, maxAttempts }) => `${attempts}/${maxAttempts}` },
  { title: "DUE", text: ({ dueAt }) => instant(dueAt) },
  { title: "LAST ERROR", text: ({ lastError = "" }) => safeText(lastError), least: 12 },
];
