import { enqueueJob, job, type RunnableJob } from "@plimsoll/store";
import { Type } from "typebox";
import type { CallContext } from "../../context.ts";
import type { BlobStore } from "../../ports/blob-store.ts";
import type { Clock } from "../../ports.ts";
import { findFact, putFact } from "../../store/registry-facts.ts";
import type { RegistryStore } from "../../store/tables/all.ts";
import { namespaceTenant, ofNamespace } from "../../values/names.ts";
import { removeDeletedRepository, removeRetiredNamespace } from "./collect-deleted.ts";
import { collectGarbage } from "./collect-garbage.ts";
import type { Collected } from "./collection.ts";
import { countKeptContent, hasFreed, type RunName, RunRecord } from "./collection-runs.ts";
import { planCollection } from "./plan-collection.ts";
import { lastCollection, putStoredBlobs } from "./queries/garbage.ts";

/** The context of the collection jobs. */
export interface CollectionJobOptions {
  readonly store: RegistryStore;
  readonly blobs: BlobStore;
  readonly clock: Clock;
  /** Called with every collected item. */
  readonly onCollected?: ((item: Collected) => void) | undefined;
}

/** Collecting a large registry takes hours. If an attempt is ended earlier, its finished steps stay. */
const collecting = { priority: "bulk", timeoutSeconds: 86_400 } as const;

/** Collects garbage in repositories that may have new garbage since the last collection. Recurs. */
export const collectGarbageJob = job({
  ...collecting,
  kind: "registry.collect-garbage",
  key: () => "",
  async handle({ signal }, context: CollectionJobOptions) {
    const since = Number((await findFact(context.store.db, lastCollection)) ?? 0);
    await collectRecorded(context, { since, signal });
  },
});

/** Collects the garbage of all repositories, at the request of a superuser. */
export const collectAllGarbageJob = job({
  ...collecting,
  kind: "registry.collect-all-garbage",
  key: () => "",
  maxAttempts: 3,
  handle: ({ signal }, context: CollectionJobOptions) => collectRecorded(context, { since: 0, signal }),
});

/** Queues a collection of all garbage, unless one is queued. */
export async function queueCollection({ db, clock }: Pick<CallContext, "db" | "clock">): Promise<void> {
  await enqueueJob(db, collectAllGarbageJob.of(null), clock);
}

/** Queues a plan of a collection, unless one is queued. */
export async function queueCollectionPlan({ db, clock }: Pick<CallContext, "db" | "clock">): Promise<void> {
  await enqueueJob(db, planCollectionJob.of(null), clock);
}

/** Collects garbage, and stores the result. */
async function collectRecorded(
  { store, blobs, clock, onCollected }: CollectionJobOptions,
  { since, signal }: { readonly since: number; readonly signal: AbortSignal },
): Promise<void> {
  const now = clock.now();
  const record = new RunRecord({ store, clock, name: "last-collection" });
  const { progress, stored } = record;
  await record.count(collectGarbage({ store, blobs, now, since, stored, progress, signal }), onCollected);
  await putStoredBlobs(store.db, stored);
  await putFact(store.db, lastCollection, String(now));
  const run = await record.end();
  if (hasFreed(run)) await putFact(store.db, "last-freeing-collection" satisfies RunName, JSON.stringify(run));
}

/** The limits of a plan that a superuser requests: it runs beside requests, in the memory of a worker. */
const planLimits = { itemsOfRepository: 20_000, links: 500_000 } as const;
const planMs = 15 * 60_000;

/** Finds what a collection of all garbage would remove, what stays, and why. */
export const planCollectionJob = job({
  ...collecting,
  kind: "registry.plan-collection",
  key: () => "",
  maxAttempts: 3,
  async handle({ signal }, { store, blobs, clock }: CollectionJobOptions) {
    const now = clock.now();
    const limits = { ...planLimits, isOver: () => clock.now() - now > planMs };
    const record = new RunRecord({ store, clock, name: "last-collection-plan" });
    const { progress, stored, markPartial: onPartial } = record;
    await record.count(planCollection({ store, blobs, now, since: 0, stored, progress, signal, limits, onPartial }));
    await record.end({ kept: await countKeptContent(store.db, { now, stored, signal }) });
  },
});

/** Removes the content of a deleted repository, and then the repository. */
export const collectRepositoryJob = job({
  ...collecting,
  kind: "registry.collect-repository",
  payload: Type.Object({ repositoryId: Type.String(), ...ofNamespace }),
  key: ({ repositoryId }) => repositoryId,
  tenant: namespaceTenant,
  handle: ({ payload, signal }, { store, blobs }: CollectionJobOptions) =>
    removeDeletedRepository({ store, blobs }, payload.repositoryId, signal),
});

/** Removes the content of a deleted namespace, and then the namespace. */
export const collectNamespaceJob = job({
  ...collecting,
  kind: "registry.collect-namespace",
  payload: Type.Object({ accountId: Type.String() }),
  key: ({ accountId }) => accountId,
  handle: ({ payload, signal }, { store, blobs }: CollectionJobOptions) =>
    removeRetiredNamespace({ store, blobs }, payload.accountId, signal),
});

/** The jobs that collect deleted content and garbage. */
export function collectionJobs(options: CollectionJobOptions): readonly RunnableJob[] {
  return [
    collectGarbageJob.withContext(options),
    collectAllGarbageJob.withContext(options),
    planCollectionJob.withContext(options),
    collectRepositoryJob.withContext(options),
    collectNamespaceJob.withContext(options),
  ];
}
