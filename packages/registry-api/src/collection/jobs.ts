import { type JobHandler, JobRejected } from "@plimsoll/store";
import type { BlobStore, Clock } from "../ports.ts";
import { findFact, putFact } from "../store/registry-facts.ts";
import type { RegistryStore } from "../store/tables/all.ts";
import { removeDeletedRepository, removeRetiredNamespace } from "./collect-deleted.ts";
import { collectGarbage } from "./collect-garbage.ts";
import type { Collected } from "./collected.ts";
import { collectNamespaceJob } from "./delete-namespace.ts";
import { collectRepositoryJob } from "./hide-repositories.ts";
import { lastCollection, putStoredBlobs } from "./queries/registry-figures.ts";

/** The job that collects garbage; it is to recur, and has no payload. */
export const collectGarbageJob = "registry.collect-garbage";

/** What collecting needs. */
export interface CollectionJobOptions {
  readonly store: RegistryStore;
  readonly blobs: BlobStore;
  readonly clock: Clock;
  /** Told of everything that was collected. */
  readonly onCollected?: (item: Collected) => void;
}

/** The jobs that collect: what was deleted, and what nothing refers to. */
export function collectionJobs(options: CollectionJobOptions): Readonly<Record<string, JobHandler>> {
  const { store, blobs, clock, onCollected } = options;
  return {
    async [collectGarbageJob]({ signal }) {
      const now = clock.now();
      const since = Number((await findFact(store.db, lastCollection)) ?? 0);
      const stored = { blobs: 0, bytes: 0 };
      for await (const item of collectGarbage({ store, blobs, now, since, stored, signal })) onCollected?.(item);
      await putStoredBlobs(store.db, stored);
      await putFact(store.db, lastCollection, String(now));
    },
    async [collectRepositoryJob]({ job }) {
      await removeDeletedRepository(store, blobs, textOf(job.payload, "repositoryId"));
    },
    async [collectNamespaceJob]({ job, signal }) {
      await removeRetiredNamespace(store, blobs, textOf(job.payload, "accountId"), signal);
    },
  };
}

function textOf(payload: unknown, member: string): string {
  const value = (payload as Readonly<Record<string, unknown>> | null)?.[member];
  if (typeof value !== "string") throw new JobRejected(`the payload has no ${member}`);
  return value;
}
