import { job, type RunnableJob } from "@plimsoll/store";
import { Type } from "typebox";
import type { BlobStore } from "../ports/blob-store.ts";
import type { Clock } from "../ports.ts";
import { findFact, putFact } from "../store/registry-facts.ts";
import type { RegistryStore } from "../store/tables/all.ts";
import { namespaceTenant, ofNamespace } from "../values/namespace-tenant.ts";
import { removeDeletedRepository, removeRetiredNamespace } from "./collect-deleted.ts";
import { collectGarbage } from "./collect-garbage.ts";
import type { Collected } from "./collected.ts";
import { lastCollection, putStoredBlobs } from "./queries/registry-figures.ts";

/** What the jobs of collection need. */
export interface CollectionJobOptions {
  readonly store: RegistryStore;
  readonly blobs: BlobStore;
  readonly clock: Clock;
  /** Called with every collected item. */
  readonly onCollected?: (item: Collected) => void;
}

/** A large registry is collected for hours. Finished steps are kept when the attempt ends before. */
const collecting = { priority: "bulk", timeoutSeconds: 86_400 } as const;

/** Collects garbage. Recurs. */
export const collectGarbageJob = job({
  ...collecting,
  kind: "registry.collect-garbage",
  key: () => "",
  async handle({ signal }, { store, blobs, clock, onCollected }: CollectionJobOptions) {
    const now = clock.now();
    const since = Number((await findFact(store.db, lastCollection)) ?? 0);
    const stored = { blobs: 0, bytes: 0 };
    for await (const item of collectGarbage({ store, blobs, now, since, stored, signal })) onCollected?.(item);
    await putStoredBlobs(store.db, stored);
    await putFact(store.db, lastCollection, String(now));
  },
});

/** Removes the content of a deleted repository, and then the repository. */
export const collectRepositoryJob = job({
  ...collecting,
  kind: "registry.collect-repository",
  payload: Type.Object({ repositoryId: Type.String(), ...ofNamespace }),
  key: ({ repositoryId }) => repositoryId,
  tenant: namespaceTenant,
  handle: ({ payload }, { store, blobs }: CollectionJobOptions) =>
    removeDeletedRepository(store, blobs, payload.repositoryId),
});

/** Removes the content of a deleted namespace, and then the namespace. */
export const collectNamespaceJob = job({
  ...collecting,
  kind: "registry.collect-namespace",
  payload: Type.Object({ accountId: Type.String() }),
  key: ({ accountId }) => accountId,
  handle: ({ payload, signal }, { store, blobs }: CollectionJobOptions) =>
    removeRetiredNamespace(store, blobs, payload.accountId, signal),
});

/** The jobs that collect: what was deleted, and what nothing refers to. */
export function collectionJobs(options: CollectionJobOptions): readonly RunnableJob[] {
  return [
    collectGarbageJob.withContext(options),
    collectRepositoryJob.withContext(options),
    collectNamespaceJob.withContext(options),
  ];
}
