import { superusers } from "@plimsoll/registry/access/on-account";
import { invalidRequest, notFound } from "@plimsoll/registry/errors";
import { ListPageQuery, nextPage, readListPage } from "@plimsoll/registry/lists/list-pages";
import {
  cancelJobById,
  deleteDeadJob,
  findJob,
  jobRefusals,
  jobStates,
  listJobs,
  type Job as QueuedJob,
  retryDeadJob,
} from "@plimsoll/store";
import { type Static, Type } from "typebox";
import type { OperationContext } from "../../context.ts";
import { operation } from "../../operation.ts";

const jobResource = { tag: "superuser", access: superusers, isOwn: true } as const;
const change = { ...jobResource, freshLogin: true, success: 200 } as const;
const about = { job_id: "The id of the job" } as const;

const instant = Type.Integer({ description: "Epoch milliseconds" });
const Job = Type.Object({
  id: Type.String(),
  kind: Type.String(),
  state: Type.Enum([...jobStates]),
  attempts: Type.Integer({ description: "Begun so far" }),
  max_attempts: Type.Integer(),
  due_at: instant,
  created_at: instant,
  started_at: Type.Union([instant, Type.Null()]),
  every_seconds: Type.Union([Type.Number(), Type.Null()], { description: "Of a recurring job" }),
  last_error: Type.Union([Type.String(), Type.Null()]),
});

/** A job as clients see it, without its payload, which may contain secrets. */
function jobView(job: QueuedJob): Static<typeof Job> {
  return {
    id: job.id,
    kind: job.kind,
    state: job.state,
    attempts: job.attempts,
    max_attempts: job.maxAttempts,
    due_at: job.dueAt,
    created_at: job.createdAt,
    started_at: job.startedAt ?? null,
    every_seconds: job.everyMs === undefined ? null : job.everyMs / 1000,
    last_error: job.lastError ?? null,
  };
}

function refusal(action: keyof typeof jobRefusals, job: QueuedJob) {
  return invalidRequest(`The job is unchanged: ${jobRefusals[action](job)}`);
}

/** @throws RegistryError `not_found` */
async function getJob({ db }: OperationContext, id: string): Promise<QueuedJob> {
  const job = await findJob(db, id);
  if (job === undefined) throw notFound("There is no such job");
  return job;
}

const pageLength = 100;

/** The keys of the list of jobs. */
const byKind = {
  first: ["", ""] as readonly [kind: string, id: string],
  keyOf: ({ kind, id }: QueuedJob): readonly [kind: string, id: string] => [kind, id],
};

const listOperation = operation({
  ...jobResource,
  id: "listJobs",
  method: "GET",
  path: "/superuser/jobs",
  summary: `Jobs of the installation, by kind and state, ${pageLength} a page.`,
  query: Type.Object({
    kind: Type.Optional(Type.String({ maxLength: 255, description: "Only jobs of this kind" })),
    state: Type.Optional(Type.Enum([...jobStates])),
    ...ListPageQuery.properties,
  }),
  success: 200,
  result: Type.Object({ jobs: Type.Array(Job), ...nextPage }),
  async handle({ query }, context) {
    const { kind, state } = query;
    const filter = { kind, state };
    const list = { list: "jobs", ownerId: `${kind} ${state}`, query, ...byKind, length: pageLength } as const;
    const { rows, ...next } = await readListPage(context, list, (from) => listJobs(context.db, { ...filter, ...from }));
    return { jobs: rows.map(jobView), ...next };
  },
});

const getOperation = operation({
  ...jobResource,
  id: "getJob",
  versionMembers: ["state", "attempts"],
  method: "GET",
  path: "/superuser/jobs/{job_id}",
  about,
  summary: "One job.",
  success: 200,
  result: Job,
  handle: async ({ params: { job_id } }, context) => jobView(await getJob(context, job_id)),
});

const retryOperation = operation({
  ...change,
  id: "retryJob",
  version: getOperation,
  method: "POST",
  path: "/superuser/jobs/{job_id}/retry",
  about,
  summary: "Give a dead job all its attempts again.",
  result: Job,
  async handle({ params: { job_id } }, context) {
    const job = await getJob(context, job_id);
    if (!(await retryDeadJob(context.db, job.id, context.clock))) throw refusal("retry", job);
    return jobView(await getJob(context, job_id));
  },
});

const cancelOperation = operation({
  ...change,
  id: "cancelJob",
  version: getOperation,
  method: "POST",
  path: "/superuser/jobs/{job_id}/cancel",
  about,
  summary: "Remove a job that waits, or stop one that runs; a recurring job skips a turn.",
  result: Type.Object({ id: Type.String() }),
  async handle({ params: { job_id } }, context) {
    const job = await getJob(context, job_id);
    const how = { clock: context.clock, kinds: context.kindsWithRows };
    if (!(await cancelJobById(context.db, job.id, how))) throw refusal("cancel", job);
    return { id: job.id };
  },
});

const deleteOperation = operation({
  ...change,
  id: "deleteJob",
  version: getOperation,
  method: "DELETE",
  path: "/superuser/jobs/{job_id}",
  about,
  summary: "Remove a dead job.",
  success: 204,
  async handle({ params: { job_id } }, context) {
    const job = await getJob(context, job_id);
    if (!(await deleteDeadJob(context.db, job.id))) throw refusal("delete", job);
  },
});

/** Operations of superusers on jobs. */
export const jobOperations = [listOperation, getOperation, retryOperation, cancelOperation, deleteOperation];
