import { superusers } from "@plimsoll/registry/access/on-account";
import { type CollectionRun, findRun } from "@plimsoll/registry/lifecycle/collection/collection-runs";
import {
  collectAllGarbageJob,
  collectGarbageJob,
  planCollectionJob,
  queueCollection,
  queueCollectionPlan,
} from "@plimsoll/registry/lifecycle/collection/jobs";
import { countDeleted, countUploading } from "@plimsoll/registry/lifecycle/collection/queries/manifests";
import { findLiveJob, type Job } from "@plimsoll/store";
import { type Static, Type } from "typebox";
import type { OperationContext } from "../../context.ts";
import { operation } from "../../operation.ts";

const resource = { tag: "superuser", access: superusers, isOwn: true } as const;

const instant = Type.Integer({ description: "Epoch milliseconds" });
const count = (description: string) => Type.Integer({ description });
const nullable = <Schema extends Parameters<typeof Type.Optional>[0]>(schema: Schema, description: string) =>
  Type.Union([schema, Type.Null()], { description });

const run = {
  started: instant,
  ended: nullable(instant, "null while it runs, and if it was stopped"),
  repositories: count("How many repositories it has checked"),
  bytes: count("The bytes that it freed, or would free"),
  counts: Type.Array(
    Type.Object({
      kind: Type.Enum(["tag", "manifest", "link", "blob", "upload", "repository", "namespace"], {
        description: "A link connects a repository with a blob",
      }),
      items: Type.Integer(),
      bytes: Type.Integer(),
    }),
  ),
};
const Run = Type.Object(run);

const Kept = Type.Object({
  tags: count("Tags that have ended and can still be restored, with their images"),
  manifests: count("Manifests that were pushed by their digests within the last hour"),
  links: count("Blobs of repositories without a manifest that were pushed within the last day"),
  uploads: count("Uploads to which bytes were added within two days"),
  upload_bytes: Type.Integer(),
  stored_blobs: count("Blobs that repositories have"),
  stored_bytes: Type.Integer(),
  held: Type.Boolean({ description: "The registry is being copied: no blob is removed until that has ended" }),
});

const Plan = Type.Object({
  ...run,
  partial: Type.Boolean({ description: "The plan reached a limit: there is more than it lists" }),
  kept: nullable(Kept, "What stays, and why; null before the plan has ended"),
});

const LiveJob = Type.Object({
  job_id: Type.String({ description: "The id of the job, for cancelJob" }),
  state: Type.Enum(["waiting", "running"]),
});

const Garbage = Type.Object({
  collecting: nullable(LiveJob, "The running or requested collection"),
  planning: nullable(LiveJob, "The running or requested plan"),
  last: nullable(Run, "The last collection"),
  last_freeing: nullable(Run, "The last collection that removed something"),
  plan: nullable(Plan, "The result of the last plan"),
  waiting: Type.Object({
    repositories: count("Deleted repositories that are not removed yet"),
    namespaces: count("Deleted namespaces that are not removed yet"),
    uploads: count("Uploads under way"),
    upload_bytes: Type.Integer(),
  }),
});

type Garbage = Static<typeof Garbage>;

async function viewGarbage({ db, now }: OperationContext): Promise<Garbage> {
  const { repositories, namespaces } = await countDeleted(db);
  const { uploads, bytes } = await countUploading(db, now);
  const [last, freeing, plan] = [
    await findRun(db, "last-collection"),
    await findRun(db, "last-freeing-collection"),
    await findRun(db, "last-collection-plan"),
  ];
  return {
    collecting: await collectingJob(db),
    planning: jobView(await findLiveJob(db, planCollectionJob.keyOf(null))),
    last: last ? runView(last) : null,
    last_freeing: freeing ? runView(freeing) : null,
    plan: plan ? planView(plan) : null,
    waiting: { repositories, namespaces, uploads, upload_bytes: bytes },
  };
}

/** The requested collection, or the recurring collection while it runs. */
async function collectingJob(db: OperationContext["db"]): Promise<Garbage["collecting"]> {
  const requested = await findLiveJob(db, collectAllGarbageJob.keyOf(null));
  if (requested !== undefined) return jobView(requested);
  const recurring = await findLiveJob(db, collectGarbageJob.keyOf(null));
  return recurring?.state === "running" ? jobView(recurring) : null;
}

function jobView(job: Job | undefined): Garbage["collecting"] {
  if (job === undefined || job.state === "dead") return null;
  return { job_id: job.id, state: job.state };
}

function runView({ startedAt, endedAt, repositories, counts }: CollectionRun): Static<typeof Run> {
  const all = Object.entries(counts) as [
    Static<typeof Run>["counts"][number]["kind"],
    { items: number; bytes: number },
  ][];
  return {
    ...{ started: startedAt, ended: endedAt ?? null, repositories },
    bytes: all.reduce((sum, [, { bytes }]) => sum + bytes, 0),
    counts: all.map(([kind, { items, bytes }]) => ({ kind, items, bytes })),
  };
}

function planView(plan: CollectionRun): Static<typeof Plan> {
  const { kept, isPartial = false } = plan;
  const view = kept && {
    ...{ tags: kept.tags, manifests: kept.manifests, links: kept.links },
    ...{ uploads: kept.uploads, upload_bytes: kept.uploadBytes, held: kept.isHeld },
    ...{ stored_blobs: kept.stored.blobs, stored_bytes: kept.stored.bytes },
  };
  return { ...runView(plan), partial: isPartial, kept: view ?? null };
}

const getGarbage = operation({
  ...resource,
  id: "getGarbage",
  method: "GET",
  path: "/superuser/garbage",
  summary: "The last garbage collections, the waiting ones, and the result of the last plan.",
  success: 200,
  result: Garbage,
  handle: (_, context) => viewGarbage(context),
});

const change = { ...resource, freshLogin: true, method: "POST", success: 201, result: Garbage } as const;

const planOperation = operation({
  ...change,
  id: "planGarbageCollection",
  path: "/superuser/garbage/plan",
  summary:
    "Start a job that plans a garbage collection: what would be removed, what stays, and why. Nothing is removed.",
  async handle(_, context) {
    await queueCollectionPlan(context);
    return viewGarbage(context);
  },
});

const collectOperation = operation({
  ...change,
  id: "collectGarbage",
  path: "/superuser/garbage/collect",
  summary: "Start a job that collects the garbage of all repositories.",
  async handle(_, context) {
    await queueCollection(context);
    return viewGarbage(context);
  },
});

/** The operations on garbage collection, for superusers. */
export const garbageOperations = [getGarbage, planOperation, collectOperation];
